import { z } from 'zod';
import { newPassword, userName } from '../model/credentials.ts';
import { declareCall } from './declaration.ts';
import { userRecord } from './records.ts';
import { expected } from '../errors/rules.ts';

export const setupContract = {
  create: declareCall({
    method: 'post',
    path: '/setup',
    access: 'public',
    audit: ['setup'],
    summary: 'Create the first Administrator',
    description:
      'Finishes the first start. The token is in the file `setup-token` of the data folder, such as `K7QF-2M9D-XW`, and can be used once; the file is deleted then. Afterwards log in with `POST /session`.',
    errors: ['setup_token_wrong', 'login_slowed', 'conflict', 'overloaded'],
    body: z.strictObject({
      token: z.string({ error: expected('text') }).max(200),
      name: userName,
      password: newPassword,
    }),
    status: 201,
    response: z.strictObject({ user: userRecord }),
  }),
};
