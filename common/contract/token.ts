import { z } from 'zod';
import { expected } from '../errors/rules.ts';
import { permissionNames } from '../model/credentials.ts';
import { newName, projectId } from '../model/ids.ts';
import { addressList } from '../model/key-limits.ts';
import { declareCall } from './declaration.ts';
import { listOf, tokenRecord } from './records.ts';

/** Service tokens for programs that use the admin API (docs/spec/users.md#service-tokens). */
const endsAt = z.iso.datetime({
  offset: true,
  error: expected('form', { what: 'a time', example: '2026-03-01T06:00:00Z' }),
});

const newToken = z.strictObject({
  name: newName,
  permissions: permissionNames
    .refine((names) => names.length > 0, expected('one_at_least', { of: 'permission' }))
    .refine((names) => !names.includes('manage_users'), expected('token_permission')),
  project: projectId.nullable().meta({ description: 'The only project that it may use; null: all.' }),
  endsAt: endsAt.meta({ description: 'RFC 3339, at most 366 days from now.' }),
  addresses: addressList
    .refine((list) => list?.length !== 0, expected('one_at_least', { of: 'address' }))
    .meta({ description: 'Addresses and networks from which it may be used; absent: all.' }),
});
export type NewToken = z.infer<typeof newToken>;

export const tokenContract = {
  list: declareCall({
    method: 'get',
    path: '/tokens',
    access: 'manage_users',
    summary: 'List service tokens',
    description: 'Lists all service tokens, ended and revoked ones included.',
    response: listOf(tokenRecord),
  }),
  create: declareCall({
    method: 'post',
    path: '/tokens',
    access: 'manage_users',
    audit: ['token.create'],
    summary: 'Create a service token',
    description:
      'Creates a service token with permissions of the current user. Its value is only in this response: it is stored as a hash.',
    body: newToken,
    status: 201,
    response: z.strictObject({ token: z.string(), record: tokenRecord }),
  }),
  revoke: declareCall({
    method: 'post',
    path: '/tokens/:token/revoke',
    access: 'manage_users',
    audit: ['token.revoke'],
    summary: 'Revoke a service token',
    description:
      'Ends a service token. No request that arrives after the reply is accepted with it, and its streams are closed. `not_saved` means the same, but the disk has no room: Sluice saves it later.',
    errors: ['not_saved'],
    response: tokenRecord,
  }),
};
