import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import { newPassword, personName } from '#common/model/credentials.ts';
import { performAct } from './acts.ts';
import { defineCall } from './call.ts';
import { userRecord } from '#common/contract/records.ts';

export const setupCalls = [
  defineCall({
    method: 'post',
    path: '/setup',
    access: 'public',
    audit: ['setup'],
    summary: 'Create the first Administrator',
    description:
      'Finishes the first start. The token is in the file `setup-token` of the data folder and can be used once; the file is deleted then. Afterwards log in with `POST /session`.',
    errors: ['setup_token_wrong', 'conflict'],
    body: z.strictObject({
      token: z.string({ error: 'expected a text' }).max(200),
      name: personName,
      password: newPassword,
    }),
    status: 201,
    response: z.strictObject({ user: userRecord }),
    async handle(services, context) {
      const { body } = context;
      // Before the journal is written: anybody may ask this at any time, and must not fill it.
      if (!services.people.setupNeeded) throw new SluiceError('conflict', 'Sluice is already set up.');
      const act = { target: body.name, detail: 'first Administrator' };
      return { user: await performAct(services, context, act, () => services.people.setup(body)) };
    },
  }),
];
