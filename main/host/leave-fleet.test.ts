import { expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import type { EdgeSecret } from '../fleet/edge-state.ts';
import { putFleet } from '../vault/fleet-secrets.ts';
import { FLEET_HASH_VERSION } from '../vault/key-store.ts';
import { openTestVault } from '../vault/testing/open-test-vault.ts';
import { leaveFleet } from './leave-fleet.ts';

const pair = { x: '', d: '' };
const SECRET: EdgeSecret = {
  fleet: 'f',
  edge: 'edge-1',
  address: 'hub:8092',
  authority: '',
  root: '',
  trust: '',
  identity: pair,
  seal: pair,
  nkey: pair,
  jwt: '',
  have: { term: 1, epoch: 1, serial: 0 },
  changed: [],
  refused: null,
  project: null,
};

test('the gateway refuses the keys of the fleet while the agent is still ending', async () => {
  await using dir = await tempDir();
  const vault = await openTestVault(dir.path);
  await vault.mutate((db) => {
    putFleet(db, 'edge', JSON.stringify(SECRET), 'hub');
    db.run(
      'INSERT INTO keys (id, project, name, scopes, limits, hash, hash_version, created_at, created_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      [
        'A'.repeat(12),
        'line',
        'PLC',
        '[]',
        '{}',
        Buffer.alloc(32),
        FLEET_HASH_VERSION,
        new Date().toISOString(),
        'hub',
      ],
    );
  });
  const acts: string[] = [];
  const running = { hub: null, status: () => Promise.reject(), close: async () => void acts.push('closed') };
  const gateway = { change: async ({ kind }: { kind: string }) => void acts.push(kind) };
  await leaveFleet(vault, { running: running as never, hasLeft: false }, gateway);
  expect(acts).toEqual(['key-revoked', 'closed']);
  await vault.close();
});
