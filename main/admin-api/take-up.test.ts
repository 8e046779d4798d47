import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inEnglish } from '#common/alarms/phrase.ts';
import type { KeyRecord } from '#common/model/records.ts';
import { createLogger } from '#common/node/log.ts';
import { HELD_BYTES_MAX, HELD_FILE, HELD_PURPOSE, type HeldFile, heldNumber, openHeldFile } from '../host/held-file.ts';
import { type Client, createLine, type Harness } from './harness.testing.ts';
import { createRestarts } from './restart.testing.ts';

/** The start of a host with changes that an earlier host could not save. */
let harness: Harness;
let admin: Client;
const restarts = createRestarts();
beforeEach(async () => {
  ({ harness, admin } = await createLine({ heldFile: true }));
});
afterEach(async () => {
  restarts.end();
  await harness.close();
});

const keyOfFile = () => harness.vault.derive(HELD_PURPOSE);
const openFile = (): HeldFile =>
  openHeldFile(
    harness.dataDir,
    keyOfFile(),
    createLogger('test', () => {}),
  );

async function revokeUnsaved(name: string): Promise<string> {
  harness.faults.vault = false;
  const { body } = await admin.send('POST', '/projects/line-7/keys', { name, scopes: [] });
  const { id } = body['record'] as KeyRecord;
  harness.faults.vault = true;
  expect((await admin.send('POST', `/projects/line-7/keys/${id}/revoke`)).body['code']).toBe('not_saved');
  return id;
}

test('a power cut while the changes are applied loses none of them: the file is written once', async () => {
  for (const name of ['a', 'b', 'c']) await revokeUnsaved(name);
  const before = heldNumber(harness.dataDir, keyOfFile()) ?? 0;
  restarts.restart(harness);
  expect(harness.deps.unsaved.list()).toHaveLength(3);
  expect(heldNumber(harness.dataDir, keyOfFile())).toBe(before + 1);
});

test('a change that this release cannot read stays in the file until a user continues without it', async () => {
  const id = await revokeUnsaved('MES');
  const future = { what: 'a change of a later release', change: { kind: 'future' } };
  const file = openFile();
  file.write([future, ...file.records]);
  restarts.restart(harness);
  const { unsaved, keys } = harness.deps;
  expect(keys.entries()).toMatchObject([{ id, revoked: true }]);
  expect(openFile().records).toContainEqual(future);
  expect(unsaved.unreadable).toBe(1);
  harness.faults.vault = false;
  await unsaved.retry();
  expect(openFile().records).toEqual([future]);
  expect([unsaved.forgetUnreadable(), unsaved.forgetUnreadable(), unsaved.unreadable]).toEqual([true, false, 0]);
  expect(openFile().records).toEqual([]);
});

test('a change that version 1.1 stored, with its words in two languages, is in force again', async () => {
  const id = await revokeUnsaved('MES');
  const file = openFile();
  const words = { what: 'the revocation of the key "MES"', german: 'Widerruf des Schlüssels „MES“' };
  file.write(file.records.map((record) => ({ ...(record as object), ...words })));
  restarts.restart(harness);
  const { unsaved, keys } = harness.deps;
  expect(unsaved.unreadable).toBe(0);
  expect(keys.entries()).toMatchObject([{ id, revoked: true }]);
  expect(unsaved.list().map(({ what }) => inEnglish(what))).toEqual([words.what]);
});

test('changes that cannot be read leave room for new ones', async () => {
  const large = Array.from({ length: 7 }, (_, n) => ({ n, text: 'x'.repeat(8_000) }));
  const before = readFileSync(join(harness.dataDir, HELD_FILE)).length;
  expect(openFile().write(large)).toBe(true);
  restarts.restart(harness);
  expect(harness.deps.unsaved.unreadable).toBe(2);
  await revokeUnsaved('MES');
  expect(harness.deps.unsaved.survive).toBe(true);
  expect(before).toBe(2 * HELD_BYTES_MAX);
});
