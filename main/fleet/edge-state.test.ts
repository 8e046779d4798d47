import { beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { RecordOf } from '#common/fleet/records.ts';
import { projectFile } from '#common/model/project-file.ts';
import { signerOf, signRecord } from '#common/node/fleet/envelope.ts';
import { kidOf, makePair } from '#common/node/fleet/raw-keys.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';
import { createServices } from '../admin-api/app.ts';
import type { Services } from '../admin-api/call.ts';
import { harness, harnessPerTest } from '../admin-api/use-harness.testing.ts';
import { putFleet } from '../vault/fleet-secrets.ts';
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
    changed: [],
    refused: null,
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

const ASSIGNED = { id: KEY, name: 'PLC', scopes: [], limits: {}, hash: '0'.repeat(64) };
const limitsOf = (id: string) => services.keys.get(id)?.limits;

describe('new limits of the hub', () => {
  test('are in gateway, vault and journal, and are not undone by an assignment that was made before them', async () => {
    const applier = new Applier(services, state);
    const change = { fleet: FLEET, term: 1, serial: 1, keyId: KEY, at: '2026-11-28T10:00:00.000Z', by: 'anna' };
    await applier.limit({ ...change, limits: { addresses: [] } });
    expect(harness.gateway.changes.at(-1)).toEqual({ kind: 'key-limits', keyId: KEY, limits: { addresses: [] } });
    expect([limitsOf(KEY), state.read().have.serial]).toEqual([{ addresses: [] }, 1]);
    expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'key.limit', keyId: KEY, user: 'hub: anna', status: 200 });
    await state.putKeys('line', [ASSIGNED]);
    expect(limitsOf(KEY)).toEqual({ addresses: [] });
    await state.assigned({ term: 1, epoch: 2, revFloor: 1 }, Buffer.of());
    await state.putKeys('line', [ASSIGNED]);
    expect(limitsOf(KEY)).toEqual({});
  });

  test('change no key of the edge itself', async () => {
    const { record } = await services.keys.create({ project: 'line', name: 'own', scopes: [], by: 'anna' });
    const change = { fleet: FLEET, term: 1, serial: 1, keyId: record.id, at: '2026-11-28T10:00:00.000Z', by: 'anna' };
    await new Applier(services, state).limit({ ...change, limits: { addresses: [] } });
    expect([limitsOf(record.id), state.read().have.serial]).toEqual([{}, 1]);
  });

  test('are listed once for each key, however often they change', async () => {
    for (let serial = 1; serial <= 5; serial++)
      await state.limited(serial, KEY, { hours: [`mon 0${serial}:00-09:00`] });
    await state.revoked(6, KEY);
    expect(state.read().changed).toEqual([{ serial: 6, keyId: KEY }]);
  });
});

describe('an assignment whose pipeline cannot be started', () => {
  const file = (value: string) =>
    projectFile.parse({
      sluice: 'project',
      format: 1,
      project: { id: 'line', name: 'Line' },
      pipelines: [routePipeline({ id: 'count', path: '/count', ...fixedReply(value) })],
    });
  const assignment = (epoch: number, value: string, keys = [ASSIGNED]): RecordOf<'assignment'> => ({
    fleet: FLEET,
    edge: 'edge-1',
    term: 1,
    epoch,
    at: '2026-11-28T10:00:00.000Z',
    by: 'anna',
    project: file(value),
    keys,
    running: ['count'],
    revFloor: 0,
  });
  const running = () => services.projects.pipelines('line').map((one) => one.wantedRevision === one.revision);
  const shown = () => JSON.stringify(services.projects.pipelines('line').map(({ definition }) => definition));

  test('gives no keys, and the pipelines before it run again', async () => {
    const applier = new Applier(services, state);
    const good = assignment(2, 'one');
    await applier.assign(good, Buffer.from('record 2'));
    expect([shown().includes('one'), running()]).toEqual([true, [true]]);
    const added = { ...ASSIGNED, id: 'ABCDEFabcdef', name: 'SCADA' };
    harness.gateway.refusal = new SluiceError('route_clash', 'Another pipeline has this route.');
    await expect(applier.assign(assignment(3, 'two', [ASSIGNED, added]), Buffer.of())).rejects.toThrow('route');
    harness.gateway.refusal = null;
    expect([services.keys.get('ABCDEFabcdef'), state.read().have.epoch]).toEqual([null, 2]);
    expect(state.lastAssignment()?.toString()).toBe('record 2');
    expect(await applier.restore(good)).toBe('Assignment 2 is in force again.');
    expect([shown().includes('one'), shown().includes('two'), running()]).toEqual([true, false, [true]]);
  });

  test('leaves its project ID free for the edge itself if it was not made', async () => {
    const first = assignment(2, 'one');
    const absent = { ...first, project: { ...first.project, project: { id: 'other', name: 'Other' } } };
    await harness.vault.mutate((db) => {
      const stored = { ...state.read(), project: null };
      putFleet(db, 'edge', JSON.stringify(stored), 'hub');
    });
    await state.claim('other', false);
    expect(await new Applier(services, state).restore(null)).toContain('was not made');
    expect(state.read().project).toBeNull();
    services.projects.createProject({ id: 'other', name: 'Own' });
    await expect(new Applier(services, state).assign(absent, Buffer.of())).rejects.toThrow('of its own');
  });

  test('is stopped if it is the first', async () => {
    const applier = new Applier(services, state);
    await applier.assign(assignment(2, 'one'), Buffer.of());
    expect(await applier.restore(null)).toContain('the pipelines of the project are stopped');
    expect(services.projects.pipelines('line').map(({ wantedRevision }) => wantedRevision)).toEqual([null]);
  });
});
