import { z } from 'zod';
import { expected } from '../errors/rules.ts';
import { scopeList } from '../model/fields.ts';
import { newName } from '../model/ids.ts';
import { keyLimits } from '../model/key-limits.ts';
import { declareCall } from './declaration.ts';
import { keyRecord, listOf, madeKey, changedKey } from './records.ts';

/**
 * Keys (docs/spec/keys.md#revocation). A revocation takes effect first, also in the gateway; the response is sent when
 * the vault is on disk. The response to a creation is sent when both vault and gateway have the key. It is also sent
 * without a gateway, which receives the key with its first snapshot, because the value is never shown again.
 */
const KEYS = '/projects/:project/keys';

export const REASON_CHARS_MAX = 200;
const REASON_EXPECTED = expected('length', { from: 1, to: REASON_CHARS_MAX });
const pauseReason = z
  .string({ error: REASON_EXPECTED })
  .trim()
  .min(1, REASON_EXPECTED)
  .max(REASON_CHARS_MAX, REASON_EXPECTED)
  .refine((text) => !/\p{C}/u.test(text), expected('name_unseen'));

export const keyContract = {
  list: declareCall({
    method: 'get',
    path: KEYS,
    access: 'manage_keys',
    summary: 'List API keys',
    description:
      'Lists the keys of a project, revoked ones included. The value of a key is never shown again after it was created.',
    response: listOf(keyRecord),
  }),
  listAll: declareCall({
    method: 'get',
    path: '/keys',
    access: 'manage_keys',
    summary: 'List the API keys of all projects',
    description: 'Lists the keys of all projects, revoked ones included.',
    response: listOf(keyRecord),
  }),
  create: declareCall({
    method: 'post',
    path: KEYS,
    access: 'manage_keys',
    audit: ['key.create'],
    summary: 'Create an API key',
    description:
      'Creates a key with the given scopes. `limits` limits it to things of a scope, such as tags, to addresses and hours of the week, and ends it. `key` in the reply is its value, which is shown only this once. Without the permission access_settings, only scopes that a valid key of the project has or an approved route of it requires are given, and none to a user who may edit pipelines.',
    body: z.strictObject({
      name: newName,
      scopes: scopeList.default([]),
      limits: keyLimits.default({}),
      honey: z
        .boolean({ error: expected('true_or_false') })
        .default(false)
        .meta({ description: 'A honey key: it is never accepted, and its use is an alarm.' }),
    }),
    status: 201,
    response: madeKey,
  }),
  revoke: declareCall({
    method: 'post',
    path: `${KEYS}/:key/revoke`,
    access: 'manage_keys',
    audit: ['key.revoke'],
    summary: 'Revoke an API key',
    description:
      'Makes a key invalid. No request that arrives after the reply is run with it. `not_saved` means the same, but the disk has no room: Sluice saves it later. On a hub, `fleet` names the edges that have confirmed it, those that are connected but have not confirmed it, and those that are cut off; `fleetError` has the reason why that is not known.',
    errors: ['not_saved'],
    response: changedKey,
  }),
  limit: declareCall({
    method: 'put',
    path: `${KEYS}/:key/limits`,
    access: 'manage_keys',
    audit: ['key.limit'],
    summary: 'Change the limits of an API key',
    description:
      'Replaces all limits of a valid key. The new limits are in force when the reply arrives, also for the next capability call of runs that the key has started. Removing a list, or an entry that is not inside the old list, requires the permission access_settings.',
    body: z.strictObject({ limits: keyLimits }),
    response: changedKey,
  }),
  pause: declareCall({
    method: 'post',
    path: `${KEYS}/:key/pause`,
    access: 'manage_keys',
    audit: ['key.pause'],
    summary: 'Pause an API key',
    description:
      'Refuses a key until it is resumed. No request that arrives after the reply is run with it, and runs that it has started lose their rights at the next capability call. A key that is paused already keeps its first reason. `not_saved` means the same, but the disk has no room: Sluice saves it later.',
    errors: ['not_saved'],
    body: z.strictObject({ reason: pauseReason }),
    response: changedKey,
  }),
  resume: declareCall({
    method: 'post',
    path: `${KEYS}/:key/resume`,
    access: 'manage_keys',
    audit: ['key.resume'],
    summary: 'Resume an API key',
    description:
      'Accepts a paused key again. A key that is not paused stays as it is. This also approves a new key that waits for a second user; its creator and service tokens are refused.',
    response: changedKey,
  }),
  rotate: declareCall({
    method: 'post',
    path: `${KEYS}/:key/rotate`,
    access: 'manage_keys',
    audit: ['key.rotate'],
    summary: 'Rotate an API key',
    description:
      'Creates a successor with the same scopes and limits. The old key stays valid until it is revoked, so that callers can change over one by one. Its scopes are given by the same rule as those of a created key.',
    status: 201,
    response: madeKey,
  }),
};
