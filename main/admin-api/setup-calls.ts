import { setupContract } from '#common/contract/setup.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { performAct } from './acts.ts';
import { defineCall } from './call.ts';

export const setupCalls = [
  defineCall(setupContract.create, {
    async handle(services, context) {
      const { body } = context;
      // Before the journal is written: anybody may ask this at any time, and must not fill it.
      if (!services.people.setupNeeded) throw new SluiceError('conflict', 'Sluice is already set up.');
      // An attempt that is slowed down tries nothing; it is counted with the other refused calls.
      services.people.expectSetupAttempt();
      const act = { target: body.name, detail: 'first Administrator' };
      return { user: await performAct(services, context, act, () => services.people.setup(body)) };
    },
  }),
];
