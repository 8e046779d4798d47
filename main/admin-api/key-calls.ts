import { z } from 'zod';
import { newName } from '#common/model/ids.ts';
import { scopeList } from '#common/model/fields.ts';
import type { KeyRecord } from '#common/model/records.ts';
import { performAct } from './acts.ts';
import { performRestriction } from './perform-restriction.ts';
import { type Context, defineCall, type Services, unknown } from './call.ts';
import { projectOf } from './project-calls.ts';
import { withoutGateway } from './without-gateway.ts';
import { keyRecord, listOf, madeKey, page } from '#common/contract/records.ts';

/**
 * Keys (docs/spec/keys.md#revocation). A revocation is in force first, in the gateway too, without a lock, and answers
 * when the vault is on disk. A key is answered when both have it; without a gateway too, which gets it with its first
 * snapshot, because a value that is not answered now is lost.
 */
const KEYS = '/projects/:project/keys';

export const keyCalls = [
  defineCall({
    method: 'get',
    path: KEYS,
    access: 'access_settings',
    summary: 'List API keys',
    description:
      'Lists the keys of a project, revoked ones included. The value of a key is never shown again after it was created.',
    response: listOf(keyRecord),
    async handle(services, context) {
      const { id } = projectOf(services, context);
      return page(await withLastUse(services, services.keys.list(id)));
    },
  }),
  defineCall({
    method: 'post',
    path: KEYS,
    access: 'access_settings',
    audit: ['key.create'],
    summary: 'Create an API key',
    description: 'Creates a key with the given scopes. `key` in the reply is its value, which is shown only this once.',
    body: z.strictObject({ name: newName, scopes: scopeList.default([]) }),
    status: 201,
    response: madeKey,
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const { name, scopes } = context.body;
      const act = {
        project,
        target: name,
        keyName: name,
        detail: `scopes: ${scopes.join(', ') || 'none'}`,
      };
      return make(services, context, act, project, (by) => services.keys.create({ project, name, scopes, by }));
    },
  }),
  defineCall({
    method: 'post',
    path: `${KEYS}/:key/revoke`,
    access: 'access_settings',
    audit: ['key.revoke'],
    summary: 'Revoke an API key',
    description:
      'Makes a key invalid. No request that arrives after the reply is run with it. `not_saved` means the same, but the disk has no room: Sluice saves it later.',
    errors: ['not_saved'],
    response: keyRecord,
    async handle(services, context) {
      const key = keyOf(services, context);
      const act = { act: 'key.revoke', project: key.project, target: key.id, keyId: key.id, keyName: key.name };
      const by = context.session.user.name;
      const change = { kind: 'key', project: key.project, key: key.id, by } as const;
      const words = {
        what: `the revocation of the key "${key.name}" of the project "${key.project}"`,
        german: `Sperrung des Schlüssels „${key.name}“ im Projekt „${key.project}“`,
      };
      await performRestriction(services, context, act, change, words);
      // Not by its project, which may have been deleted meanwhile.
      const record = services.keys.get(key.id) ?? key;
      services.hub.publish({ kind: 'changed', what: 'key', project: key.project });
      try {
        const [shown = record] = await withLastUse(services, [record]);
        return shown;
      } catch (error) {
        // The key is revoked: an answer that says otherwise would be the worse one.
        services.log.warn('the last use of a revoked key could not be read', { keyId: key.id, error });
        return record;
      }
    },
  }),
  defineCall({
    method: 'post',
    path: `${KEYS}/:key/rotate`,
    access: 'access_settings',
    audit: ['key.rotate'],
    summary: 'Rotate an API key',
    description:
      'Creates a successor with the same scopes. The old key stays valid until it is revoked, so that callers can change over one by one.',
    status: 201,
    response: madeKey,
    async handle(services, context) {
      const key = keyOf(services, context);
      const act = { project: key.project, target: key.id, keyId: key.id, keyName: key.name };
      return make(services, context, act, key.project, (by) => services.keys.rotate(key.id, by));
    },
  }),
];

/** The vault does not know when a key was used; the journal does. */
async function withLastUse({ audit }: Services, keys: readonly KeyRecord[]): Promise<KeyRecord[]> {
  const lastUsed = await audit.lastUsed();
  return keys.map((key) => ({ ...key, lastUsedAt: lastUsed.get(key.id) ?? key.lastUsedAt }));
}

/** The key that the path names, revoked or not. */
export function keyOf(services: Services, context: Pick<Context<unknown, unknown>, 'param'>): KeyRecord {
  const { id } = projectOf(services, context);
  const key = services.keys.get(context.param('key'));
  if (key === null || key.project !== id) throw unknown('key');
  return key;
}

async function make(
  services: Services,
  context: Context<unknown, unknown>,
  act: Parameters<typeof performAct>[2],
  project: string,
  create: (by: string) => Promise<{ value: string; record: KeyRecord }>,
): Promise<{ key: string; record: KeyRecord }> {
  const { keys, gateway, locks, hub } = services;
  const { value, record } = await locks.shared(project, () =>
    performAct(
      services,
      context,
      act,
      async () => {
        // Asked again inside the lock: the project may have been deleted meanwhile.
        projectOf(services, context);
        const made = await create(context.session.user.name);
        const entry = keys.entry(made.record.id);
        if (entry) await withoutGateway(() => gateway.change({ kind: 'key', key: entry }));
        return made;
      },
      (made) => ({ keyId: made.record.id, keyName: made.record.name, detail: `made key ${made.record.id}` }),
    ),
  );
  hub.publish({ kind: 'changed', what: 'key', project });
  return { key: value, record };
}
