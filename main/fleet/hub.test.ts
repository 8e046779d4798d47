import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SluiceError } from '#common/errors/catalogue.ts';
import { createLogger } from '#common/node/log.ts';
import { openRecord, signerOf, signRecord, trusted } from '#common/node/fleet/envelope.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { createServices } from '../admin-api/app.ts';
import type { Services } from '../admin-api/call.ts';
import { harness, harnessPerTest } from '../admin-api/use-harness.testing.ts';
import { putFleet } from '../vault/fleet-secrets.ts';
import { openTestVault } from '../vault/testing/open-test-vault.ts';
import { Agent } from './agent.ts';
import { type EdgeSecret, EdgeState, makeEdge } from './edge-state.ts';
import { Hub } from './hub.ts';
import { becomeHub, FORMER_EDGES_MAX, HubState, KEY_CHANGES_MAX } from './hub-state.ts';
import { prepareEnrolment } from './join.ts';
import { SUBJECTS } from './nats/config.ts';
import { MemoryTransport } from './testing/memory-transport.ts';
import { readToken } from './token.ts';

/** A hub with a real vault; the tests play its edges. */
harnessPerTest({ project: { id: 'line', name: 'Line' } });

let network: MemoryTransport;
let services: Services;
let state: HubState;
let hub: Hub;
let logged: string[];
const log = createLogger('fleet', (line) => logged.push(line));

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  logged = [];
  await becomeHub(harness.vault, { address: '127.0.0.1:8092', host: '127.0.0.1' });
  services = createServices(harness.deps);
  state = new HubState(harness.vault);
  network = new MemoryTransport();
  network.connect(true);
  hub = new Hub({ vault: harness.vault, services, transport: network, onExpelled: async () => {}, log });
  await hub.start();
});
afterEach(() => {
  hub.close();
  vi.useRealTimers();
});

/** Has a token; enrols with the first call of `enrol` that succeeds. */
async function invited(edge: string) {
  const { request, opened } = prepareEnrolment(readToken(await hub.token(edge, 60_000, 'anna')));
  return { enrol: async () => opened('', await network.ask(SUBJECTS.enrol, request)) };
}

const enrolled = async (edge: string) => (await invited(edge)).enrol();

const join = async (edge: string): Promise<EdgeSecret> => (await enrolled(edge)).secret;

function questionOf({ fleet, edge }: EdgeSecret, serial = 0, epoch = 0) {
  const have = { term: 1, epoch, serial };
  return { fleet, edge, nonce: 'n'.repeat(22), have, phase: 'settled' as const, reason: null, version: '1' };
}

function checkin(edge: EdgeSecret, serial: number, epoch = 0): Promise<Uint8Array> {
  const question = questionOf(edge, serial, epoch);
  return network.ask(SUBJECTS.checkin(edge.edge), signRecord('checkin', question, signerOf(edge.identity)));
}

function acknowledge({ fleet, edge, identity }: EdgeSecret, serial: number): void {
  network.deliver(SUBJECTS.ack(edge), signRecord('ack', { fleet, edge, serial }, signerOf(identity)));
}

/** Makes a key and revokes it; resolves with what the hub reports. */
async function revoke(name: string) {
  const { record } = await services.keys.create({ project: 'line', name, scopes: [], by: 'anna' });
  await services.keys.revoke(record.id, 'anna');
  return hub.changed(record.id);
}

const published = (serial: number) =>
  until(`revocation ${serial} is stored`, () => network.stored.has(SUBJECTS.revocation(serial)));

describe('a hub that was restored from an older backup', () => {
  test('counts a revocation as confirmed only when its own number is acknowledged', async () => {
    const edge = await join('edge-1');
    await checkin(edge, 3);
    expect(await revoke('first')).toEqual({ serial: 4, confirmed: [], silent: ['edge-1'], cutOff: [] });
    const second = revoke('second');
    await published(5);
    acknowledge(edge, 5);
    expect(await second).toEqual({ serial: 5, confirmed: ['edge-1'], silent: [], cutOff: [] });
    const { sign } = state.secret();
    const keyIds = [1, 2, 3, 4].map((serial) => {
      const bytes = network.stored.get(SUBJECTS.revocation(serial)) ?? Buffer.of();
      return openRecord('revocation', bytes, trusted(sign.x)).keyId;
    });
    expect(keyIds.map((id) => services.keys.get(id)?.name)).toEqual([undefined, undefined, undefined, 'first']);
  });

  test('does not count a number that no hub can have given', async () => {
    const edge = await join('edge-1');
    await checkin(edge, 5_000);
    expect(await revoke('first')).toEqual({ serial: 1, confirmed: [], silent: ['edge-1'], cutOff: [] });
  });

  test('reports the new number of a revocation that it numbers again while it waits', async () => {
    const ahead = await join('edge-1');
    const other = await join('edge-2');
    for (const edge of [ahead, other]) await checkin(edge, 0);
    const report = revoke('first');
    await published(1);
    await checkin(ahead, 3);
    await published(4);
    acknowledge(other, 4);
    expect(await report).toEqual({ serial: 4, confirmed: ['edge-2'], silent: ['edge-1'], cutOff: [] });
  });
});

test('a record that could not be stored is stored with the next timer, without a reconnect', async () => {
  await join('edge-1');
  network.failingStores = 1;
  await hub.assign('line', 'edge-1', 'anna');
  expect(network.stored.has(SUBJECTS.desired('edge-1'))).toBe(false);
  await vi.advanceTimersByTimeAsync(10_000);
  await until('it is stored', () => network.stored.has(SUBJECTS.desired('edge-1')));
});

test('of two edges that are expelled at once, both stay expelled', async () => {
  const edges = await Promise.all(['edge-1', 'edge-2'].map(join));
  expect(edges.map(({ edge }) => edge)).toEqual(['edge-1', 'edge-2']);
  const nkeys = state.members().map(({ nkey }) => nkey);
  await Promise.all(['edge-1', 'edge-2'].map((edge) => hub.expel(edge, 'anna')));
  expect(Object.keys(state.secret().expelled).toSorted()).toEqual(nkeys.toSorted());
});

test('the connection of an expelled edge is ended later if nats-server could not be restarted', async () => {
  hub.close();
  let restarts = 0;
  const onExpelled = async () => {
    if (++restarts === 1) throw new Error('the disk is full');
  };
  hub = new Hub({ vault: harness.vault, services, transport: network, onExpelled, log });
  await hub.start();
  await join('edge-1');
  await expect(hub.expel('edge-1', 'anna')).rejects.toThrow('the disk is full');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(restarts).toBe(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(restarts).toBe(2);
});

test('of two assignments at once, one is a conflict, and no epoch has two assignments', async () => {
  await join('edge-1');
  const both = await Promise.allSettled(['anna', 'ben'].map((by) => hub.assign('line', 'edge-1', by)));
  const refused = both.flatMap((one) => (one.status === 'rejected' ? [one.reason as SluiceError] : []));
  expect(refused.map(({ code }) => code)).toEqual(['conflict']);
  const { epoch, assignment } = state.member('edge-1') ?? {};
  expect(epoch).toBe(1);
  expect(Buffer.from(network.stored.get(SUBJECTS.desired('edge-1')) ?? []).toString('base64url')).toBe(assignment);
  expect(await hub.assign('line', 'edge-1', 'anna')).toMatchObject({ epoch: 2 });
});

test('an edge that joins under the name of an expelled one refuses its assignment and takes the next', async () => {
  await join('edge-1');
  await hub.assign('line', 'edge-1', 'anna');
  const old = network.stored.get(SUBJECTS.desired('edge-1')) ?? Buffer.of();
  await hub.expel('edge-1', 'anna');
  const { secret, pepper } = await enrolled('edge-1');

  await using dir = await tempDir();
  const vault = await openTestVault(dir.path);
  await makeEdge(vault, secret, pepper);
  const link = new MemoryTransport();
  link.answer = (subject, bytes) => network.ask(subject, bytes);
  link.lastOf = (stream, subject) => network.lastOf(stream, subject);
  const epochs: number[] = [];
  const edge = new EdgeState(vault);
  const applier = {
    revoke: async () => {},
    limit: async () => {},
    narrow: async () => {},
    restore: async () => '',
    assign: async (assignment: { term: number; epoch: number; revFloor: number }, bytes: Uint8Array) => {
      epochs.push(assignment.epoch);
      await edge.assigned(assignment, bytes);
    },
  };
  const agent = new Agent({ state: edge, applier, transport: link, refuseKeys: async () => {}, log });
  agent.start();
  try {
    link.connect(true);
    await until('the edge has contact', () => agent.status().lastContact !== null);
    link.deliver(SUBJECTS.desiredNews('edge-1'), old);
    await until('it refuses the old one', () => logged.some((line) => line.includes('the assignment is not newer')));
    await hub.assign('line', 'edge-1', 'anna');
    link.deliver(SUBJECTS.desiredNews('edge-1'), network.stored.get(SUBJECTS.desired('edge-1')) ?? Buffer.of());
    await until('it takes the next one', () => epochs.length > 0);
    expect(epochs).toEqual([2]);
  } finally {
    await agent.close();
    await vault.close();
  }
});

test('a token for the name of an edge ends with the edge, and the next one gets no epoch that was used', async () => {
  const [first, second] = [await invited('edge-1'), await invited('edge-1')];
  await first.enrol();
  await hub.assign('line', 'edge-1', 'anna');
  await hub.expel('edge-1', 'anna');
  await expect(second.enrol()).rejects.toThrow('The token was already used');
  expect((await join('edge-1')).have.epoch).toBe(1);
  await hub.expel('edge-1', 'anna');
  const { id } = readToken(await hub.token('edge-1', 60_000, 'anna'));
  const keys = { identity: '', seal: '', nkey: '' };
  const stale = { edge: 'edge-1', ...keys, joinedAt: '', epoch: 0, project: null, assignment: null };
  await expect(state.admit(id, stale, Date.now())).rejects.toThrow('The edge edge-1 was expelled or got an assignment');
});

test('a new PC replaces a broken one: the old identity ends, and the project is assigned again', async () => {
  const old = await join('edge-1');
  await hub.assign('line', 'edge-1', 'anna');
  await expect(hub.token('edge-1', 60_000, 'anna')).rejects.toThrow('add --replace');
  await expect(hub.token('edge-2', 60_000, 'anna', true)).rejects.toThrow('There is no edge edge-2');
  const { request, opened } = prepareEnrolment(readToken(await hub.token('edge-1', 60_000, 'anna', true)));
  const fresh = opened('', await network.ask(SUBJECTS.enrol, request)).secret;
  expect(fresh.have.epoch).toBe(1);
  await until('the project is assigned again', () => state.member('edge-1')?.epoch === 2);
  const users = Object.keys(state.secret().expelled);
  expect([users.length, users.includes(state.member('edge-1')?.nkey ?? '')]).toEqual([1, false]);
  network.deliver(SUBJECTS.checkin('edge-1'), signRecord('checkin', questionOf(old), signerOf(old.identity)));
  expect(hub.status().edges).toMatchObject([{ contact: 'never' }]);
  await checkin(fresh, 0);
  expect(hub.status().edges).toMatchObject([{ contact: 'connected', project: 'line' }]);
});

test('the hub knows which edges accept a key', async () => {
  const edge = await join('edge-1');
  await join('edge-2');
  const { record } = await services.keys.create({ project: 'line', name: 'PLC', scopes: [], by: 'anna' });
  const states = () => hub.keyOn(record.id)?.map(({ edge: name, contact, key }) => [name, contact, key]);
  expect(states()).toEqual([
    ['edge-1', 'never', 'absent'],
    ['edge-2', 'never', 'absent'],
  ]);
  await hub.assign('line', 'edge-1', 'anna');
  await checkin(edge, 0);
  expect(states()?.[0]).toEqual(['edge-1', 'connected', 'expected']);
  await checkin(edge, 0, 1);
  expect(states()?.[0]).toEqual(['edge-1', 'connected', 'accepted']);
  await services.keys.revoke(record.id, 'anna');
  expect(states()?.[0]).toEqual(['edge-1', 'connected', 'unconfirmed']);
  const report = hub.changed(record.id);
  await published(1);
  acknowledge(edge, 1);
  expect(await report).toMatchObject({ confirmed: ['edge-1'], cutOff: [{ edge: 'edge-2', since: null }] });
  expect(states()).toEqual([
    ['edge-1', 'connected', 'refused'],
    ['edge-2', 'never', 'unconfirmed'],
  ]);
  expect(hub.keyOn('0'.repeat(12))).toBeNull();
});

describe('a pause of a key', () => {
  const PAUSE = { at: '2026-11-28T10:00:00.000Z', by: 'anna', reason: 'repair' };
  const sent = (serial: number) =>
    openRecord(
      'limits',
      network.stored.get(SUBJECTS.revocation(serial)) ?? Buffer.of(),
      trusted(state.secret().sign.x),
    );

  test('and its end reach the edges that have the key', async () => {
    const edge = await join('edge-1');
    const { record } = await services.keys.create({ project: 'line', name: 'PLC', scopes: [], by: 'anna' });
    await hub.assign('line', 'edge-1', 'anna');
    await checkin(edge, 0, 1);
    await services.keys.pause(record.id, PAUSE);
    expect(hub.keyOn(record.id)).toMatchObject([{ key: 'unconfirmed' }]);
    const paused = hub.changed(record.id);
    await published(1);
    acknowledge(edge, 1);
    expect(await paused).toEqual({ serial: 1, confirmed: ['edge-1'], silent: [], cutOff: [] });
    expect(sent(1)).toMatchObject({ keyId: record.id, limits: { addresses: [] } });
    expect(hub.keyOn(record.id)).toMatchObject([{ key: 'paused' }]);
    await services.keys.resume(record.id);
    const resumed = hub.changed(record.id);
    await published(2);
    acknowledge(edge, 2);
    expect(await resumed).toMatchObject({ serial: 2, confirmed: ['edge-1'] });
    expect(sent(2)).toMatchObject({ keyId: record.id, limits: {} });
    expect(hub.keyOn(record.id)).toMatchObject([{ key: 'accepted' }]);
  });

  test('that no edge has is not sent, and that of an assigned key is sent also if nobody asks', async () => {
    await join('edge-1');
    const { record } = await services.keys.create({ project: 'line', name: 'PLC', scopes: [], by: 'anna' });
    await services.keys.pause(record.id, PAUSE);
    expect(await hub.changed(record.id)).toBeNull();
    await services.keys.resume(record.id);
    await hub.assign('line', 'edge-1', 'anna');
    await services.keys.pause(record.id, PAUSE);
    await vi.advanceTimersByTimeAsync(10_000);
    await published(1);
  });

  test('survives the restart of the hub, which sends nothing twice', async () => {
    await join('edge-1');
    const { record } = await services.keys.create({ project: 'line', name: 'PLC', scopes: [], by: 'anna' });
    await hub.assign('line', 'edge-1', 'anna');
    await services.keys.pause(record.id, PAUSE);
    await hub.changed(record.id);
    hub.close();
    hub = new Hub({ vault: harness.vault, services, transport: network, onExpelled: async () => {}, log });
    await hub.start();
    await hub.changed(record.id);
    expect(state.keyChanges().map(({ serial }) => serial)).toEqual([1]);
  });
});

describe('lists in the vault', () => {
  const pause = { at: '2026-11-28T10:00:00.000Z', by: 'anna', reason: 'repair' };
  const change = (serial: number, keyId = '0'.repeat(12)) => ({ serial, keyId, limits: null, record: 'x'.repeat(400) });
  const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

  test('of changes of keys drop those that every edge has confirmed, and take no more than the limit', async () => {
    const { record } = await services.keys.create({ project: 'line', name: 'PLC', scopes: [], by: 'anna' });
    await state.addKeyChanges([change(1, record.id)], 0, 'fleet');
    await state.addKeyChanges(
      numbers(2, KEY_CHANGES_MAX - 1).map((serial) => change(serial)),
      0,
      'fleet',
    );
    const limited = { ...change(KEY_CHANGES_MAX + 1), limits: '[]' };
    await expect(state.addKeyChanges([limited], 0, 'fleet')).rejects.toThrow(
      'changes of keys that not every edge has confirmed',
    );
    expect(state.keyChanges()).toHaveLength(KEY_CHANGES_MAX);
    await state.addKeyChanges([change(KEY_CHANGES_MAX + 1)], KEY_CHANGES_MAX - 1, 'fleet');
    expect(state.keyChanges().map(({ serial }) => serial)).toEqual([KEY_CHANGES_MAX, KEY_CHANGES_MAX + 1]);
    expect(state.settledKeys()).toEqual([record.id]);
  });

  test('a revoked key whose change was dropped gets no second one from the next hub', async () => {
    const { record } = await services.keys.create({ project: 'line', name: 'PLC', scopes: [], by: 'anna' });
    await services.keys.revoke(record.id, 'anna');
    await state.addKeyChanges([change(1, record.id)], 0, 'fleet');
    await state.addKeyChanges(
      numbers(2, KEY_CHANGES_MAX).map((serial) => change(serial)),
      KEY_CHANGES_MAX,
      'fleet',
    );
    hub.close();
    hub = new Hub({ vault: harness.vault, services, transport: network, onExpelled: async () => {}, log });
    await hub.start();
    expect(state.keyChanges().map(({ serial }) => serial)).toEqual([KEY_CHANGES_MAX + 1]);
  });

  test('that are full of limits leave room for a revocation', async () => {
    const made = (name: string) => services.keys.create({ project: 'line', name, scopes: [], by: 'anna' });
    const [paused, revoked] = [await made('PLC'), await made('MES')];
    await join('edge-1');
    await hub.assign('line', 'edge-1', 'anna');
    await state.addKeyChanges(
      numbers(1, KEY_CHANGES_MAX).map((serial) => change(serial)),
      0,
      'fleet',
    );
    hub.close();
    hub = new Hub({ vault: harness.vault, services, transport: network, onExpelled: async () => {}, log });
    await hub.start();
    await services.keys.pause(paused.record.id, pause);
    await services.keys.revoke(revoked.record.id, 'anna');
    await expect(hub.changed(paused.record.id)).rejects.toThrow('not every edge has confirmed');
    expect(network.stored.has(SUBJECTS.revocation(KEY_CHANGES_MAX + 1))).toBe(true);
  });

  test('that are full do not keep the hub from starting', async () => {
    await join('edge-1');
    const { record } = await services.keys.create({ project: 'line', name: 'PLC', scopes: [], by: 'anna' });
    await hub.assign('line', 'edge-1', 'anna');
    await state.addKeyChanges(
      numbers(1, KEY_CHANGES_MAX).map((serial) => change(serial)),
      0,
      'fleet',
    );
    hub.close();
    await services.keys.pause(record.id, pause);
    hub = new Hub({ vault: harness.vault, services, transport: network, onExpelled: async () => {}, log });
    await hub.start();
    expect(logged.some((line) => line.includes('not every edge has confirmed'))).toBe(true);
    await hub.expel('edge-1', 'anna');
  });

  test('of expelled edges drop the oldest, whose epoch then counts for every new name', async () => {
    await join('edge-1');
    await hub.assign('line', 'edge-1', 'anna');
    await hub.expel('edge-1', 'anna');
    expect(state.lastEpoch('another')).toBe(0);
    await harness.vault.mutate((db) => {
      for (const number of numbers(1, FORMER_EDGES_MAX))
        putFleet(
          db,
          `epoch:old-${number}`,
          JSON.stringify({ edge: `old-${number}`, epoch: 0, at: '9999-01-01T00:00:00.000Z' }),
          'test',
        );
    });
    await join('edge-2');
    await hub.expel('edge-2', 'anna');
    expect([state.lastEpoch('another'), state.lastEpoch('edge-1')]).toEqual([1, 1]);
  });
});
