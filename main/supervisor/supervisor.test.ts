import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Change, GatewayToHost } from '#common/control/messages.ts';
import { NO_RESOURCES } from '#common/model/resources.ts';
import { createLogger } from '#common/node/log.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';
import { createFakeChild, emptySnapshot, type FakeChild } from './testing/fake-child.ts';

let children: FakeChild[];
let log: string;
let supervisor: Supervisor;
let refuseAllKeys: boolean;

const REVOKE: Change = { kind: 'key-revoked', keyId: 'abcdefghijkl' };
const STOP: Change = { kind: 'stop', project: 'line', pipeline: 'orders' };
const START: Change = {
  kind: 'start',
  start: {
    project: 'line',
    revision: 1,
    definition: { id: 'orders', name: 'Orders', runAs: 'caller', grants: [], nodes: [], wires: [] },
  },
};
const FAILED = { project: 'line', pipeline: 'orders', revision: 1, errors: [{ code: 'unknown_kind', message: 'no' }] };

beforeEach(() => {
  vi.useFakeTimers();
  children = [];
  log = '';
  refuseAllKeys = false;
  supervisor = createSupervisor({
    startChild: () => {
      const child = createFakeChild(1000 + children.length);
      children.push(child);
      return child;
    },
    snapshot: () => emptySnapshot({ refuseAllKeys }),
    onHead: () => {},
    onJournalOpened: () => {},
    log: createLogger('supervisor', (line) => (log += line)),
  });
});

afterEach(() => {
  vi.useRealTimers();
});

function child(index = children.length - 1): FakeChild {
  const found = children[index];
  if (!found) throw new Error(`no child ${index}`);
  return found;
}

async function serving(): Promise<FakeChild> {
  const started = supervisor.start();
  child().serve();
  await started;
  return child();
}

function epochOf(gateway: FakeChild): number {
  const message = gateway.sent.findLast((entry) => entry.type === 'change');
  return message?.type === 'change' ? message.epoch : 0;
}

function settled(promise: Promise<unknown>): { state: string } {
  const result = { state: 'pending' };
  promise.then(
    () => (result.state = 'resolved'),
    (error: Error & { code?: string }) => (result.state = error.code ?? error.message),
  );
  return result;
}

test('hello is answered with a snapshot, ready makes it running', async () => {
  const started = settled(supervisor.start());
  expect(supervisor.state).toBe('starting');
  child().say({ type: 'hello', version: '1.2.3', pid: 1, kinds: [] });
  expect(child().sent).toEqual([{ type: 'snapshot', epoch: 1, snapshot: emptySnapshot() }]);
  await vi.advanceTimersByTimeAsync(100);
  expect(started.state).toBe('pending');
  child().say({ type: 'ready', port: 4321, plainHttpPort: null, failed: [FAILED] });
  await vi.advanceTimersByTimeAsync(0);
  expect(started.state).toBe('resolved');
  expect(supervisor).toMatchObject({ state: 'running', port: 4321, pid: 1000, restarts: 0, failed: [FAILED] });
});

test('a serving gateway that dies is replaced at once with everything saved by then, and its end is logged', async () => {
  const first = await serving();
  refuseAllKeys = true;
  await vi.advanceTimersByTimeAsync(1234);
  first.exit({ code: null, signal: 'SIGKILL' });
  expect(children).toHaveLength(2);
  expect(supervisor).toMatchObject({ state: 'starting', restarts: 1, port: null });
  child().serve();
  expect(child().sent[0]).toMatchObject({ type: 'snapshot', snapshot: { refuseAllKeys: true } });
  expect(supervisor.state).toBe('running');
  expect(JSON.parse(log)).toMatchObject({
    pid: 1000,
    code: null,
    signal: 'SIGKILL',
    lastState: 'running',
    uptimeMs: 1234,
  });
});

test('a gateway that never became ready is retried after 0.2 s, then 0.4 s', async () => {
  void supervisor.start();
  child().exit({ code: 1 });
  await vi.advanceTimersByTimeAsync(199);
  expect(children).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(children).toHaveLength(2);
  child().exit({ code: 1 });
  await vi.advanceTimersByTimeAsync(399);
  expect(children).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(children).toHaveLength(3);
});

test('ten seconds without any message kill it, and a pong is enough to live', async () => {
  const first = await serving();
  for (let second = 0; second < 30; second += 2) {
    await vi.advanceTimersByTimeAsync(2_000);
    first.say({ type: 'pong', id: 1 });
  }
  expect(first.killed).toBe(false);
  await vi.advanceTimersByTimeAsync(9_499);
  expect(first.killed).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(first.killed).toBe(true);
  expect(log).toContain('silent for 10 s');
  expect(children).toHaveLength(2);
});

test('the time without a heartbeat is known, and is null without a process', async () => {
  const first = await serving();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(supervisor.silentMs).toBe(3_000);
  first.say({ type: 'pong', id: 1 });
  expect(supervisor.silentMs).toBe(0);
  void supervisor.stop();
  first.exit();
  expect(supervisor.silentMs).toBeNull();
});

test('an outage lasts from the last heartbeat, or from the end, until the next gateway serves', async () => {
  vi.setSystemTime(new Date('2026-03-01T10:12:00Z'));
  await serving();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(supervisor.lastOutage).toBeNull();
  await vi.advanceTimersByTimeAsync(1_000);
  child().serve();
  expect(supervisor.lastOutage).toEqual({
    from: '2026-03-01T10:12:00.000Z',
    to: '2026-03-01T10:12:11.000Z',
    cause: 'silent',
  });
  child().exit({ code: 1 });
  await vi.advanceTimersByTimeAsync(2_000);
  child().serve();
  expect(supervisor.lastOutage).toMatchObject({
    from: '2026-03-01T10:12:11.000Z',
    to: '2026-03-01T10:12:13.000Z',
    cause: 'ended',
  });
});

test('a requested stop is not an outage', async () => {
  const first = await serving();
  void supervisor.stop();
  first.exit();
  expect(supervisor.lastOutage).toBeNull();
});

test('a gateway that is silent while it starts is killed after ten seconds too', async () => {
  void supervisor.start();
  await vi.advanceTimersByTimeAsync(10_500);
  expect(child(0).killed).toBe(true);
});

test('a long compilation does not count as silence', async () => {
  void supervisor.start();
  const first = child();
  first.say({ type: 'hello', version: '1', pid: 1, kinds: [] });
  for (let done = 0; done < 10; done++) {
    await vi.advanceTimersByTimeAsync(9_000);
    first.say({ type: 'progress', epoch: 1, done, total: 10 });
  }
  expect(first.killed).toBe(false);
});

test.each([
  REVOKE,
  STOP,
  { kind: 'settings', settings: emptySnapshot().settings },
  { kind: 'refuse-all-keys', on: true },
  { kind: 'resources', project: 'line', resources: null },
] satisfies Change[])('a change of kind $kind resolves with its acknowledgement and not before', async (change) => {
  const first = await serving();
  const result = settled(supervisor.change(change));
  await vi.advanceTimersByTimeAsync(1_999);
  expect(result.state).toBe('pending');
  first.say({ type: 'ack', epoch: epochOf(first) });
  await vi.advanceTimersByTimeAsync(0);
  expect(result.state).toBe('resolved');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(first.killed).toBe(false);
});

test('a revocation that is not acknowledged within 2 s resolves once the gateway is killed, whatever progress it reports', async () => {
  const first = await serving();
  const result = settled(supervisor.change(REVOKE));
  await vi.advanceTimersByTimeAsync(1_500);
  first.say({ type: 'progress', epoch: epochOf(first), done: 1, total: 9 });
  await vi.advanceTimersByTimeAsync(499);
  expect(first.killed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(first.killed).toBe(true);
  expect(result.state).toBe('resolved');
  expect(children).toHaveLength(2);
});

test('a revocation that the gateway could not apply kills it, refused settings and resources do not', async () => {
  const first = await serving();
  const resources = settled(supervisor.change({ kind: 'resources', project: 'line', resources: NO_RESOURCES('line') }));
  first.say({ type: 'ack', epoch: epochOf(first), error: { code: 'conflict', detail: 'too many tags' } });
  await vi.advanceTimersByTimeAsync(0);
  expect([resources.state, first.killed]).toEqual(['conflict', false]);
  const settings = settled(supervisor.change({ kind: 'settings', settings: emptySnapshot().settings }));
  first.say({ type: 'ack', epoch: epochOf(first), error: { code: 'conflict', detail: 'port 1 is in use' } });
  await vi.advanceTimersByTimeAsync(0);
  expect([settings.state, first.killed]).toEqual(['conflict', false]);
  const revoke = settled(supervisor.change(REVOKE));
  first.say({ type: 'ack', epoch: epochOf(first), error: { code: 'gateway_down', detail: 'still starting' } });
  await vi.advanceTimersByTimeAsync(0);
  expect([revoke.state, first.killed, children.length]).toEqual(['resolved', true, 2]);
});

test('a revocation between snapshot and ready is not lost', async () => {
  void supervisor.start();
  child().say({ type: 'hello', version: '1', pid: 1, kinds: [] });
  const revoke = settled(supervisor.change(REVOKE));
  await vi.advanceTimersByTimeAsync(100);
  expect(revoke.state).toBe('pending');
  expect(child().sent.at(-1)).toMatchObject({ type: 'change', change: REVOKE });
});

test('an acknowledgement of another epoch is ignored', async () => {
  const first = await serving();
  const result = settled(supervisor.change(REVOKE));
  first.say({ type: 'ack', epoch: epochOf(first) + 1 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(result.state).toBe('pending');
});

test('a start may take long while it reports progress, and ends after 2 s without any', async () => {
  const first = await serving();
  const result = settled(supervisor.change(START));
  for (let i = 0; i < 5; i++) {
    await vi.advanceTimersByTimeAsync(1_900);
    first.say({ type: 'progress', epoch: epochOf(first), done: i, total: 9 });
  }
  expect(first.killed).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(first.killed).toBe(true);
  expect(result.state).toBe('gateway_down');
});

test('settings may take long while one of them reports progress, and progress of a start does not extend their time', async () => {
  const first = await serving();
  const SETTINGS: Change = { kind: 'settings', settings: emptySnapshot().settings };
  const doors = settled(supervisor.change(SETTINGS));
  const epoch = epochOf(first);
  const behind = settled(supervisor.change(SETTINGS));
  for (let i = 0; i < 5; i++) {
    await vi.advanceTimersByTimeAsync(1_900);
    first.say({ type: 'progress', epoch, done: 0, total: 1 });
  }
  first.say({ type: 'ack', epoch });
  await vi.advanceTimersByTimeAsync(1_900);
  expect([doors.state, behind.state, first.killed]).toEqual(['resolved', 'pending', false]);
  void settled(supervisor.change(START));
  first.say({ type: 'progress', epoch: epochOf(first), done: 0, total: 1 });
  await vi.advanceTimersByTimeAsync(100);
  expect(first.killed).toBe(true);
  expect(behind.state).toBe('pending');
  child().serve();
  await vi.advanceTimersByTimeAsync(0);
  expect(behind.state).toBe('resolved');
});

test('a start that the gateway refuses fails with its code and fields', async () => {
  const first = await serving();
  const result = supervisor.change(START);
  const refusal = {
    code: 'route_clash',
    detail: 'POST /a is taken',
    errors: [{ path: 'nodes.0', message: 'taken' }],
  } as const;
  first.say({ type: 'ack', epoch: epochOf(first), error: { ...refusal, errors: [...refusal.errors] } });
  await expect(result).rejects.toMatchObject({
    code: 'route_clash',
    message: 'POST /a is taken',
    errors: refusal.errors,
  });
});

test('an acknowledged start or stop removes the pipeline from the list of failed ones', async () => {
  for (const change of [START, STOP]) {
    if (supervisor.pid === null) void supervisor.start();
    else child().exit({ code: 1 });
    child().say({ type: 'hello', version: '1', pid: 1, kinds: [] });
    child().say({ type: 'ready', port: 1, plainHttpPort: null, failed: [FAILED, { ...FAILED, pipeline: 'other' }] });
    const done = supervisor.change(change);
    child().acknowledge();
    await done;
    expect(supervisor.failed.map((entry) => entry.pipeline)).toEqual(['other']);
  }
});

test('a message that cannot be sent fails only its own call, nothing waits for it, and a gateway that ends affects no others', async () => {
  const first = await serving();
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const { send } = first;
  first.send = (message) => {
    if (message.type === 'ping') return send(message);
    throw new RangeError('Maximum call stack size exceeded');
  };
  await expect(supervisor.call('stats', {})).rejects.toThrow(RangeError);
  await expect(supervisor.change(START)).rejects.toThrow(RangeError);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(first.killed).toBe(false);
  first.exit({ code: null, signal: 'SIGKILL' });
  vi.useRealTimers();
  // Node reports unhandled rejections before the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

describe('settings whose gateway ended before it accepted them', () => {
  const SETTINGS: Change = { kind: 'settings', settings: emptySnapshot().settings };

  async function orphaned(): Promise<{ state: string }> {
    await serving();
    const change = settled(supervisor.change(SETTINGS));
    child().exit({ code: null, signal: 'SIGKILL' });
    await vi.advanceTimersByTimeAsync(0);
    expect(change.state).toBe('pending');
    return change;
  }

  test('are in force when the next one serves', async () => {
    const change = await orphaned();
    child().serve();
    await vi.advanceTimersByTimeAsync(0);
    expect(change.state).toBe('resolved');
  });

  test('are refused with the refusal of the next one', async () => {
    await serving();
    const change = supervisor.change(SETTINGS);
    const refused = expect(change).rejects.toMatchObject({ code: 'conflict', errors: [{ path: 'plainHttpPort' }] });
    child().exit({ code: null, signal: 'SIGKILL' });
    await vi.advanceTimersByTimeAsync(0);
    const next = child();
    next.say({ type: 'hello', version: '1.2.3', pid: 1, kinds: [] });
    const message = 'port 8080 is in use by another program';
    const errors = [{ path: 'plainHttpPort', message }];
    const error = { code: 'conflict' as const, detail: `plainHttpPort: ${message}`, errors };
    next.say({ type: 'ack', epoch: next.sent[0]?.type === 'snapshot' ? next.sent[0].epoch : 0, error });
    await refused;
  });

  test('are refused when the next one ends before it serves, and when the host stops', async () => {
    const dead = await orphaned();
    child().exit({ code: 1 });
    await vi.advanceTimersByTimeAsync(0);
    expect(dead.state).toBe('conflict');
    await vi.advanceTimersByTimeAsync(200);
    child().serve();
    const change = settled(supervisor.change(SETTINGS));
    child().exit({ code: null, signal: 'SIGKILL' });
    await vi.advanceTimersByTimeAsync(0);
    const stopped = supervisor.stop();
    await vi.advanceTimersByTimeAsync(0);
    expect(change.state).toBe('conflict');
    child().exit();
    await stopped;
  });
});

test('without a gateway a revocation is in force at once, and a start and a request are refused', async () => {
  const first = await serving();
  // Ready once, then sixty deaths: the next start is delayed, so there is no process.
  for (let i = 0; i < 61; i++) {
    child().exit({ code: 1 });
    if (supervisor.pid !== null) child().serve();
  }
  expect(first.killed).toBe(false);
  expect(supervisor).toMatchObject({ state: 'dead', pid: null });
  await expect(supervisor.change(REVOKE)).resolves.toBeUndefined();
  await expect(supervisor.change(START)).rejects.toMatchObject({ code: 'gateway_down' });
  await expect(supervisor.call('stats', {})).rejects.toMatchObject({ code: 'gateway_down' });
});

test('when the gateway dies, waiting revocations resolve, and waiting starts and requests fail', async () => {
  const first = await serving();
  const revoke = settled(supervisor.change(REVOKE));
  const start = settled(supervisor.change(START));
  const call = settled(supervisor.call('stats', {}));
  first.exit({ code: 1 });
  await vi.advanceTimersByTimeAsync(0);
  expect([revoke.state, start.state, call.state]).toEqual(['resolved', 'gateway_down', 'gateway_down']);
});

test('responses find their request by ID', async () => {
  const first = await serving();
  const one = supervisor.call('runs', { project: 'a', pipeline: 'b' });
  const two = supervisor.call('run', { project: 'a', pipeline: 'b', run: 'c' });
  const ids = first.sent.flatMap((message) => (message.type === 'call' ? [message.id] : []));
  first.say({ type: 'reply', id: ids[1] ?? 0, value: null });
  first.say({ type: 'reply', id: ids[0] ?? 0, error: { code: 'unknown', detail: 'no such pipeline' } });
  await expect(two).resolves.toBeNull();
  await expect(one).rejects.toMatchObject({ code: 'unknown', message: 'no such pipeline' });
});

test('an unavailable port fails the first start with the reason and is not retried', async () => {
  const started = supervisor.start();
  child().say({ type: 'hello', version: '1', pid: 1, kinds: [] });
  child().say({ type: 'ack', epoch: 1, error: { code: 'conflict', detail: 'port 8090 is in use' } });
  await expect(started).rejects.toMatchObject({ code: 'conflict', message: 'port 8090 is in use' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(child().killed).toBe(true);
  expect(children).toHaveLength(1);
});

test('a port that is lost later is retried with back-off and reported as an error', async () => {
  (await serving()).exit({ code: 1 });
  const second = child();
  second.say({ type: 'hello', version: '1', pid: 1, kinds: [] });
  second.say({ type: 'ack', epoch: 2, error: { code: 'conflict', detail: 'port 8090 is in use' } });
  expect(supervisor.trouble).toBe('port 8090 is in use');
  second.exit({ code: 1 });
  await vi.advanceTimersByTimeAsync(200);
  expect(children).toHaveLength(3);
  child().serve();
  expect(supervisor.trouble).toBeNull();
});

test('a stop drains: the gateway is notified, waited for and not replaced', async () => {
  const first = await serving();
  const stopped = settled(supervisor.stop());
  void supervisor.stop();
  expect(supervisor.state).toBe('draining');
  expect(first.sent.filter((message) => message.type === 'stop')).toEqual([{ type: 'stop', graceMs: 10_000 }]);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(stopped.state).toBe('pending');
  first.exit();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stopped.state).toBe('resolved');
  expect(children).toHaveLength(1);
});

test('a gateway that does not end within its grace period and 12 s for its files is killed', async () => {
  const first = await serving();
  const stopped = settled(supervisor.stop());
  for (let second = 0; second < 22; second++) {
    expect(first.killed).toBe(false);
    first.say({ type: 'pong', id: 1 });
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(first.killed).toBe(true);
  expect(stopped.state).toBe('resolved');
});

test('a stop while waiting for the next restart ends the wait', async () => {
  const started = settled(supervisor.start());
  child().exit({ code: 1 });
  await supervisor.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(children).toHaveLength(1);
  expect(started.state).toBe('gateway_down');
});

test('a snapshot that cannot be created ends the process instead of serving half of it', async () => {
  const broken = createSupervisor({
    startChild: () => {
      const made = createFakeChild(1);
      children.push(made);
      return made;
    },
    snapshot: () => {
      throw new Error('unreadable');
    },
    onHead: () => {},
    onJournalOpened: () => {},
    log: createLogger('supervisor', (line) => (log += line)),
  });
  void broken.start();
  child().say({ type: 'hello', version: '1', pid: 1, kinds: [] });
  expect(child().killed).toBe(true);
  expect(child().sent).toEqual([]);
  expect(log).toContain('unreadable');
});

test('replies of 200 with an error are known for the running gateway until it reports their end', async () => {
  const about = {
    kind: 'pipeline-warning',
    project: 'line',
    code: 'error_with_200',
    message: 'errors as 200',
  } as const;
  const warn = (gateway: FakeChild, pipeline: string, count: number) =>
    gateway.say({
      type: 'event',
      event: { ...about, pipeline, errorsWith200: count === 0 ? [] : [{ node: 'ok', count }] },
    });
  const first = await serving();
  warn(first, 'orders', 1);
  warn(first, 'stock', 7);
  warn(first, 'orders', 2);
  expect([...supervisor.errorsWith200]).toEqual([
    ['line/orders', [{ node: 'ok', count: 2 }]],
    ['line/stock', [{ node: 'ok', count: 7 }]],
  ]);
  warn(first, 'orders', 0);
  expect([...supervisor.errorsWith200.keys()]).toEqual(['line/stock']);
  first.exit({ code: null, signal: 'SIGKILL' });
  expect(supervisor.errorsWith200.size).toBe(0);
});

test('events and heads reach their listeners, and one that throws does not affect the others', async () => {
  const seen: string[] = [];
  supervisor.on(() => {
    throw new Error('bad listener');
  });
  const off = supervisor.on((event) => seen.push(event.kind));
  const first = await serving();
  const event: GatewayToHost = { type: 'event', event: { kind: 'journal', state: 'unavailable', reason: 'full' } };
  first.say(event);
  off();
  first.say(event);
  expect(seen).toEqual(['state', 'state', 'journal']);
});
