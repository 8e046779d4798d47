import { randomBytes } from 'node:crypto';
import { makeApiKey } from '#common/api-key.ts';
import type { KeyEntry } from '#common/control/messages.ts';
import { createKeyHasher } from '#common/node/key-hash.ts';

/** A new key: its value, and its entry in a ring with this pepper. */
export function makeKeyEntry(pepper: Buffer, more: Partial<KeyEntry> = {}): { value: string; entry: KeyEntry } {
  const { id, value } = makeApiKey(randomBytes);
  const hash = createKeyHasher(pepper)(value).toString('hex');
  const rights = { scopes: [], limits: {}, paused: null, honey: false, revoked: false };
  return { value, entry: { id, hash, project: 'line', name: 'MES', ...rights, ...more } };
}
