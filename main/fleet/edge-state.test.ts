import { beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { signerOf, signRecord } from '#common/node/fleet/envelope.ts';
import { kidOf, makePair } from '#common/node/fleet/raw-keys.ts';
import { until } from '#test/until.ts';
import { createServices } from '../admin-api/app.ts';
import type { Services } from '../admin-api/call.ts';
import { harness, harnessPerTest } from '../admin-api/use-harness.testing.ts';
import { all, text } from '../vault/rows.ts';
import { Agent } from './agent.ts';
import { Applier } from './apply.ts';
import { EdgeState, makeEdge } from './edge-state.ts';
import { SUBJECTS } from './nats/config.ts';
import { MemoryTransport } from './testing/memory-transport.ts';

/** An edge with a real vault, and a key of the fleet in it. */
harnessPerTest({ project: { id: 'line', name: 'Line' } });

const KEY = 'abcdefABCDEF';
const FLEET = 'f'.repeat(22);
const [root, sign, identity] = [makePair('Ed25519'), makePair('Ed25519'), makePair('Ed25519')];
let state: EdgeState;
let services: Services;

beforeEach(async () => {
  const trust = signRecord(
    'trust',
    { fleet: FLEET, term: 1, keys: [{ kid: kidOf(sign.x), public: sign.x }] },
    signerOf(root),
  );
  const secret = {
    fleet: FLEET,
    edge: 'edge-1',
    address: 'hub:8092',
    authority: '',
    root: root.x,
    trust: trust.toString('base64url'),
    identity,
    seal: makePair('X25519'),
    nkey: makePair('Ed25519'),
    jwt: '',
    have: { term: 1, epoch: 1, serial: 0 },
    revoked: [],
    project: 'line',
  };
  await makeEdge(harness.vault, secret, Buffer.alloc(32));
  state = new EdgeState(harness.vault);
  await state.putKeys('line', [{ id: KEY, name: 'PLC', scopes: [], limits: {}, hash: '0'.repeat(64) }]);
  services = createServices(harness.deps);
});

/** In the vault itself: the services already count a revocation that could not be saved. */
const revokedKeys = (): string[] =>
  harness.vault.read((db) => all(db, 'SELECT id FROM keys WHERE revoked_at IS NOT NULL').map((row) => text(row, 'id')));

describe('a revocation of the hub', () => {
  test('is counted in the transaction that revokes its key, and touches no key of the edge itself', async () => {
    const { record } = await services.keys.create({ project: 'line', name: 'own', scopes: [], by: 'anna' });
    await state.revoked(1, KEY);
    await state.revoked(2, record.id);
    expect([state.read().have.serial, revokedKeys()]).toEqual([2, [KEY]]);
  });

  test('is acknowledged only when the vault has it', async () => {
    const network = new MemoryTransport();
    const log = createLogger('fleet', (line) => harness.logged.push(line));
    const applier = new Applier(services, state);
    const agent = new Agent({ state, applier, transport: network, refuseKeys: async () => {}, log });
    agent.start();
    network.connect(true);
    const payload = { fleet: FLEET, term: 1, serial: 1, keyId: KEY, at: '2026-11-28T10:00:00.000Z', by: 'anna' };
    const deliver = () => network.deliver(SUBJECTS.revocationNews, signRecord('revocation', payload, signerOf(sign)));
    const warnings = () => harness.logged.filter((line) => line.includes('"the hub"')).length;
    const acknowledged = () => network.published.some(([subject]) => subject === SUBJECTS.ack('edge-1'));

    harness.faults.vault = true;
    for (const times of [1, 2]) {
      const before = warnings();
      deliver();
      await until(`it has failed ${times} times`, () => warnings() > before);
      expect([services.keys.get(KEY)?.revokedAt === null, revokedKeys(), acknowledged()]).toEqual([false, [], false]);
    }
    harness.faults.vault = false;
    deliver();
    await until('it is acknowledged', acknowledged);
    expect([state.read().have.serial, revokedKeys()]).toEqual([1, [KEY]]);
    await agent.close();
  });
});
