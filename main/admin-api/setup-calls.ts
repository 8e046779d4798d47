import { setupContract } from '#common/contract/setup.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { performAct } from './acts.ts';
import { defineCall, type Services } from './call.ts';

export const setupCalls = [
  defineCall(setupContract.create, {
    async handle(services, context) {
      const { people, locks } = services;
      const { body } = context;
      const act = { target: body.name, detail: 'first Administrator' };
      expectAttempt(people);
      // Once more in its turn: attempts that came at the same time may have failed meanwhile.
      const user = await locks.setup(async () => {
        expectAttempt(people);
        return performAct(services, context, act, () => people.setup(body));
      });
      return { user };
    },
  }),
];

/**
 * Before the journal is written: anybody may ask this at any time, and must not fill it. An attempt that is slowed down
 * tries nothing; it is counted with the other refused calls.
 */
function expectAttempt(people: Services['people']): void {
  if (!people.setupNeeded) throw new SluiceError('conflict', 'Sluice is already set up.');
  people.expectSetupAttempt();
}
