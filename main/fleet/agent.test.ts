import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import { type Counters, isOlder, type RecordOf } from '#common/fleet/records.ts';
import { createLogger } from '#common/node/log.ts';
import { openRecord, type Signer, signerOf, signRecord, trusted } from '#common/node/fleet/envelope.ts';
import { kidOf, makePair } from '#common/node/fleet/raw-keys.ts';
import { until } from '#test/until.ts';
import { SUBJECTS } from './nats/config.ts';
import { MemoryTransport } from './testing/memory-transport.ts';
import { Agent } from './agent.ts';
import type { EdgeSecret } from './edge-state.ts';

/** The agent with a hub that the test plays, honest or hostile. */
const FLEET = 'f'.repeat(22);
const AT = '2026-11-28T10:00:00.000Z';
const root = makePair('Ed25519');
const sign = makePair('Ed25519');
const identity = makePair('Ed25519');
const hub = signerOf(sign);

let network: MemoryTransport;
let agent: Agent;
let latest: Counters;
let have: Counters;
/** Applied records, and changes of the refusal of keys, in order. */
let acts: string[];
let failing: string | null;
/** A revocation is not applied before it resolves. */
let held: Promise<void> | null;
let logged: string[];
/** The signed assignment that is in force. */
let last: Buffer | null;
let refused: EdgeSecret['refused'];
let failingRestore: Error | null;
let failingLimit: Error | null;

const revocation = (serial: number, signer: Signer = hub, changes: Partial<RecordOf<'revocation'>> = {}) =>
  signRecord(
    'revocation',
    { fleet: FLEET, term: 1, serial, keyId: 'abcdefABCDEF', at: AT, by: 'anna', ...changes },
    signer,
  );
const limits = (serial: number, given: RecordOf<'limits'>['limits'], signer: Signer = hub) =>
  signRecord(
    'limits',
    { fleet: FLEET, term: 1, serial, keyId: 'abcdefABCDEF', at: AT, by: 'anna', limits: given },
    signer,
  );
const assignment = (epoch: number, signer: Signer = hub, changes: Partial<RecordOf<'assignment'>> = {}) =>
  signRecord(
    'assignment',
    {
      fleet: FLEET,
      edge: 'edge-1',
      term: 1,
      epoch,
      at: AT,
      by: 'anna',
      project: {
        sluice: 'project',
        format: 1,
        project: { id: 'line', name: 'Line' },
        leftOut: [],
        connections: [],
        queries: [],
        tags: [],
        scripts: [],
        pipelines: [],
      },
      keys: [],
      running: [],
      revFloor: 0,
      ...changes,
    },
    signer,
  );

/** An honest answer to a check-in. */
const answered = (bytes: Uint8Array, signer: Signer = hub, nonce?: string) => {
  const checkin = openRecord('checkin', bytes, trusted(identity.x));
  return signRecord('answer', { fleet: FLEET, edge: 'edge-1', nonce: nonce ?? checkin.nonce, latest, at: AT }, signer);
};

beforeEach(() => {
  network = new MemoryTransport();
  latest = { term: 1, epoch: 0, serial: 0 };
  have = { ...latest };
  acts = [];
  logged = [];
  failing = null;
  failingRestore = null;
  failingLimit = null;
  refused = null;
  last = null;
  held = null;
  const trust = signRecord(
    'trust',
    { fleet: FLEET, term: 1, keys: [{ kid: kidOf(sign.x), public: sign.x }] },
    signerOf(root),
  );
  const secret = { fleet: FLEET, edge: 'edge-1', identity, root: root.x, trust: trust.toString('base64url') };
  agent = new Agent({
    state: {
      read: () => ({ ...secret, address: 'hub:8092', have, refused, project: null }) as unknown as EdgeSecret,
      lastAssignment: () => last,
      refuse: async ({ term, epoch }, reason) => void (refused = { term, epoch, reason, restored: false }),
      restored: async (note) => {
        if (refused) refused = { ...refused, reason: `${refused.reason} ${note}`, restored: true };
      },
    },
    applier: {
      narrow: async ({ serial }) => void acts.push(`narrow ${serial}`),
      limit: async ({ serial, limits }) => {
        if (failingLimit !== null) throw failingLimit;
        acts.push(`limit ${serial} ${JSON.stringify(limits)}`);
        have = { ...have, serial };
      },
      restore: async (before) => {
        if (failingRestore !== null) throw failingRestore;
        acts.push(`restore ${before?.epoch ?? 'nothing'}`);
        return 'The former one is in force.';
      },
      revoke: async ({ serial }) => {
        await held;
        acts.push(`revoke ${serial}`);
        have = { ...have, serial };
      },
      assign: async ({ epoch, term }, bytes) => {
        if (failing !== null) throw new Error(failing);
        acts.push(`assign ${epoch}`);
        have = { ...have, epoch, term };
        last = Buffer.from(bytes);
        refused = null;
      },
    },
    transport: network,
    refuseKeys: async (on) => void acts.push(on ? 'refuse' : 'accept'),
    log: createLogger('fleet', (line) => logged.push(line)),
  });
  network.answer = (_subject, bytes) => answered(bytes);
  agent.start();
});
afterEach(() => agent.close());

const accepted = () => until('keys are accepted', () => acts.at(-1) === 'accept');
const warned = (text: string) => until(`the log has "${text}"`, () => logged.some((line) => line.includes(text)));

describe('on return', () => {
  test('revocations are taken up in order, then the assignment, before keys are accepted', async () => {
    latest = { term: 1, epoch: 4, serial: 3 };
    for (const serial of [1, 2, 3]) network.stored.set(SUBJECTS.revocation(serial), revocation(serial));
    network.stored.set(SUBJECTS.desired('edge-1'), assignment(4));
    network.connect(true);
    await accepted();
    expect(acts).toEqual(['refuse', 'revoke 1', 'revoke 2', 'revoke 3', 'assign 4', 'accept']);
    expect(network.published.some(([subject]) => subject === SUBJECTS.ack('edge-1'))).toBe(true);
  });

  test('keys stay refused while a revocation is missing', async () => {
    latest = { term: 1, epoch: 0, serial: 2 };
    network.stored.set(SUBJECTS.revocation(2), revocation(2));
    network.connect(true);
    await warned('the hub has no revocation 1');
    expect(acts).toEqual(['refuse']);
    network.stored.set(SUBJECTS.revocation(1), revocation(1));
    await accepted();
    expect(acts).toEqual(['refuse', 'revoke 1', 'revoke 2', 'accept']);
  });

  test('a check-in that is due while the queue is full is repeated, and fetches what was dropped', async () => {
    network.connect(true);
    await accepted();
    const work = Promise.withResolvers<void>();
    held = work.promise;
    latest = { term: 1, epoch: 0, serial: 150 };
    for (let serial = 1; serial <= 150; serial++) {
      network.stored.set(SUBJECTS.revocation(serial), revocation(serial));
      network.deliver(SUBJECTS.revocationNews, revocation(serial));
    }
    network.connect(true);
    // After the timer of the check-in, which was set before.
    setTimeout(work.resolve, 1);
    await until('all revocations are in force', () => have.serial === 150);
    await accepted();
  });

  test('an answer of an earlier connection does not end the refusal of the next', async () => {
    const first = Promise.withResolvers<null>();
    let asked = false;
    latest = { term: 1, epoch: 0, serial: 1 };
    let held = true;
    network.lastOf = async (_stream, subject) => {
      asked = true;
      if (held) await first.promise;
      return network.stored.get(subject) ?? null;
    };
    network.connect(true);
    await until('it asks for the revocation', () => asked);
    network.stored.set(SUBJECTS.revocation(1), revocation(1));
    network.connect(false);
    network.answer = () => {
      throw new Error('no answer');
    };
    network.connect(true);
    held = false;
    first.resolve(null);
    await until('the earlier answer is taken up', () => acts.includes('revoke 1'));
    await warned('no answer');
    expect(acts).not.toContain('accept');
  });

  test('an edge without a hub accepts its keys', async () => {
    network.answer = () => {
      throw new Error('no answer');
    };
    await accepted();
    expect(acts).toEqual(['accept']);
    expect(agent.status().contact).toBe('cut off');
  });
});

describe('a hostile server', () => {
  test.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['of an older check-in', (bytes) => answered(bytes, hub, 'x'.repeat(22))],
    ['under another key', (bytes) => answered(bytes, signerOf(makePair('Ed25519')))],
    ['under the key of the edge itself', (bytes) => answered(bytes, signerOf(identity))],
    ['that is a check-in sent back', (bytes) => bytes],
  ])('an answer %s is no contact', async (_, answer) => {
    network.answer = (_subject, bytes) => answer(bytes);
    network.connect(true);
    await until('it has been refused', () => logged.length > 0);
    expect(acts).toEqual(['refuse']);
    expect(agent.status().lastContact).toBeNull();
  });

  test.each<[string, () => Uint8Array]>([
    ['altered', () => revocation(1).map((byte, at) => (at === 40 ? byte ^ 1 : byte))],
    ['signed by another key', () => revocation(1, signerOf(makePair('Ed25519')))],
    ['of another fleet', () => revocation(1, hub, { fleet: 'g'.repeat(22) })],
  ])('a revocation that is %s is not applied', async (_, record) => {
    network.connect(true);
    await accepted();
    network.deliver(SUBJECTS.revocationNews, record());
    await until('it has been refused', () => logged.length > 0);
    expect(acts).toEqual(['refuse', 'accept']);
  });

  test.each<[string, () => Buffer]>([
    ['older', () => assignment(1)],
    ['the same again', () => assignment(2)],
    ['for another edge', () => assignment(3, hub, { edge: 'edge-2' })],
    ['of another fleet', () => assignment(3, hub, { fleet: 'g'.repeat(22) })],
    ['signed by another key', () => assignment(3, signerOf(makePair('Ed25519')))],
    ['signed by the root key', () => assignment(3, signerOf(root))],
  ])('an assignment that is %s is not applied', async (_, record) => {
    have = { term: 1, epoch: 2, serial: 0 };
    latest = have;
    network.connect(true);
    await accepted();
    network.deliver(SUBJECTS.desiredNews('edge-1'), record());
    await until('it has been refused', () => logged.length > 0);
    expect(acts).toEqual(['refuse', 'accept']);
  });

  test('an old record instead of a revocation does not count as it', async () => {
    latest = { term: 1, epoch: 0, serial: 2 };
    network.stored.set(SUBJECTS.revocation(1), revocation(1));
    network.stored.set(SUBJECTS.revocation(2), revocation(1));
    network.connect(true);
    await warned('revocation 1 instead of 2');
    expect(acts).toEqual(['refuse', 'revoke 1']);
  });
});

test('new limits of a key are taken up in order with revocations', async () => {
  latest = { term: 1, epoch: 0, serial: 2 };
  network.stored.set(SUBJECTS.revocation(1), limits(1, { addresses: [] }));
  network.stored.set(SUBJECTS.revocation(2), revocation(2));
  network.connect(true);
  await accepted();
  network.deliver(SUBJECTS.revocationNews, limits(3, {}));
  await until('the third is in force', () => have.serial === 3);
  expect(acts).toEqual(['refuse', 'limit 1 {"addresses":[]}', 'revoke 2', 'accept', 'limit 3 {}']);
  network.deliver(SUBJECTS.revocationNews, limits(4, {}, signerOf(root)));
  await warned('signed by an unknown key');
  expect(have.serial).toBe(3);
});

test('a revocation behind a change that cannot be saved is in force, and not acknowledged', async () => {
  network.connect(true);
  await accepted();
  failingLimit = new SluiceError('internal', 'The vault cannot be written.');
  latest = { term: 1, epoch: 0, serial: 2 };
  network.stored.set(SUBJECTS.revocation(1), limits(1, { addresses: [] }));
  network.stored.set(SUBJECTS.revocation(2), revocation(2));
  network.deliver(SUBJECTS.revocationNews, revocation(2));
  await until('it is in force', () => acts.includes('narrow 2'));
  expect(have.serial).toBe(0);
});

test('an assignment waits for the changes of keys before it', async () => {
  network.connect(true);
  await accepted();
  latest = { term: 1, epoch: 1, serial: 1 };
  network.stored.set(SUBJECTS.revocation(1), limits(1, { addresses: [] }));
  network.stored.set(SUBJECTS.desired('edge-1'), assignment(1, hub, { revFloor: 1 }));
  network.deliver(SUBJECTS.desiredNews('edge-1'), assignment(1, hub, { revFloor: 1 }));
  await until('it is applied', () => acts.includes('assign 1'));
  expect(acts).toEqual(['refuse', 'accept', 'limit 1 {"addresses":[]}', 'assign 1']);
});

describe('an assignment that cannot be applied', () => {
  const FAULT = 'the pipeline "count" has an error';
  const refusedOnce = async () => {
    network.stored.set(SUBJECTS.desired('edge-1'), assignment(1));
    latest = { term: 1, epoch: 1, serial: 0 };
    network.connect(true);
    await accepted();
    failing = FAULT;
    network.stored.set(SUBJECTS.desired('edge-1'), assignment(2));
    latest = { term: 1, epoch: 2, serial: 0 };
    network.deliver(SUBJECTS.desiredNews('edge-1'), assignment(2));
  };

  test('is rolled back to the one before it, reported with its reason, and not tried again until there is a newer one', async () => {
    await refusedOnce();
    await until('the former one is in force', () => refused?.restored === true);
    expect(acts).toEqual(['refuse', 'assign 1', 'accept', 'restore 1']);
    expect(agent.status()).toMatchObject({
      phase: 'refused',
      reason: `${FAULT} The former one is in force.`,
      have: { epoch: 1 },
    });
    failing = null;
    network.connect(true);
    await accepted();
    network.deliver(SUBJECTS.desiredNews('edge-1'), assignment(2));
    await warned('the assignment is not newer');
    expect(acts.filter((act) => act.startsWith('assign'))).toEqual(['assign 1']);
    network.deliver(SUBJECTS.desiredNews('edge-1'), assignment(3));
    await until('the newer one is applied', () => acts.includes('assign 3'));
    expect(agent.status()).toMatchObject({ phase: 'settled', reason: null });
    expect(isOlder(have, { term: 1, epoch: 3 })).toBe(true);
  });

  test('is rolled back by a later check-in if the gateway is down meanwhile', async () => {
    failingRestore = new SluiceError('gateway_down', 'The gateway is down.');
    await refusedOnce();
    await warned('The gateway is down.');
    expect(refused).toMatchObject({ epoch: 2, restored: false });
    expect(agent.status()).toMatchObject({ phase: 'refused', reason: FAULT });
    failingRestore = null;
    network.connect(true);
    await until('the former one is in force', () => acts.includes('restore 1'));
    expect(refused).toMatchObject({ epoch: 2, restored: true });
  });

  test('is not rolled back again and again if the one before it fails too', async () => {
    failingRestore = new Error('no such folder');
    await refusedOnce();
    await until('it has given up', () => refused?.restored === true);
    expect(agent.status().reason).toBe(`${FAULT} The previous assignment failed as well: no such folder`);
  });

  test('leaves no assignment to roll back to if it is the first', async () => {
    failing = FAULT;
    network.stored.set(SUBJECTS.desired('edge-1'), assignment(1));
    latest = { term: 1, epoch: 1, serial: 0 };
    network.connect(true);
    await accepted();
    expect(acts).toEqual(['refuse', 'restore nothing', 'accept']);
  });
});
