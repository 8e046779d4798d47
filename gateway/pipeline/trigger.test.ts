import { afterEach, describe, expect, test } from 'vitest';
import type { TagValue } from '#common/model/tag.ts';
import { type Scope, SCOPES, scopeMask } from '#common/scopes.ts';
import { defineKind, type NodeKind, type Trigger, z } from '#sdk';
import { until } from '#test/until.ts';
import { CapabilityAccess } from '../capabilities/access.ts';
import { CapabilityBroker } from '../capabilities/capability-broker.ts';
import { HOPS_MAX, MessageBus, messageCapability, WAITING_MAX } from '../capabilities/messages/bus.ts';
import { Pace } from '../capabilities/pace.ts';
import { callContext } from '../capabilities/call-context.testing.ts';
import { grantsPrincipal, type Principal } from '../capabilities/principal.ts';
import type { TagListener, Tags } from '../capabilities/tags/contract.ts';
import { NO_TAGS } from '../capabilities/tags/no-tags.ts';
import { copyPayload } from './copy.ts';
import { actor, definition, noScripts } from './harness.ts';
import { RUNS_PER_TRIGGER_MAX } from './limits.ts';
import type { LivePipeline } from './pipeline.ts';
import { NO_EGRESS } from '#sdk/testing.ts';
import { createPipelineRuntime } from './runtime.ts';
import { unwatchedRuns } from './run-watch/run-watch.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(closers.splice(0).map((close) => close())));

/** A trigger that passes its `Trigger` to the test. */
function starter(id: string, begin: (trigger: Trigger) => void, scopes: readonly Scope[] = []): NodeKind {
  return defineKind({
    id,
    version: '1.0.0',
    title: 'Starter',
    summary: 'Begins when the test says.',
    category: 'flow',
    input: false,
    settings: z.looseObject({}),
    scopes,
    examples: [],
    create: () => ({ run: (message) => ({ port: 'out', message }), begin }),
  });
}

interface World {
  readonly bus: MessageBus;
  readonly pace: Pace;
  /** Logged lines. */
  readonly lines: string[];
  readonly seen: { payload: unknown; rights: readonly Scope[] }[];
  /** Every wired `actor` node, `end`, records the rights that it has; `hold` keeps its runs open. */
  compile(begin: (trigger: Trigger) => void, more?: { grants?: Scope[]; scopes?: Scope[] }): Promise<LivePipeline>;
  hold: Promise<void> | null;
}

/** The rights as the capability broker sees them: each scope is tested with a call that needs it. */
const PROBES = {
  'tags.read': { path: 'a' },
  'tags.write': { path: 'a', value: 1 },
  'vars.get': { name: 'a' },
} as const;

function world(tags: Tags = NO_TAGS): World {
  const pace = new Pace();
  const bus = new MessageBus(pace);
  const answers = Object.keys(PROBES).map((name) => [name, () => null]);
  const door = new CapabilityBroker([
    { calls: Object.fromEntries(answers), close: () => Promise.resolve() },
    messageCapability(bus, copyPayload),
  ]);
  const made: World = {
    bus,
    pace,
    lines: [],
    seen: [],
    hold: null,
    async compile(begin, { grants = [], scopes = [] } = {}) {
      const end = actor({
        end: {
          async run(message, run) {
            const tried = await Promise.allSettled([
              run.capabilities.call('tags.read', PROBES['tags.read']),
              run.capabilities.call('tags.write', PROBES['tags.write']),
              run.capabilities.call('vars.get', PROBES['vars.get']),
            ]);
            const held = (['tag:read', 'tag:write', 'vars:read'] as const).filter(
              (_scope, index) => tried[index]?.status === 'fulfilled',
            );
            made.seen.push({ payload: message.payload, rights: held });
            await made.hold;
            return undefined;
          },
        },
      });
      const runtime = createPipelineRuntime({
        watch: unwatchedRuns(),
        kinds: [starter('starter', begin, scopes), end],
        scripts: noScripts,
        egress: () => NO_EGRESS,
        surroundings: { door, bus, pace, tags },
        log: (level, text) => made.lines.push(`${level}: ${text}`),
      });
      closers.push(() => runtime.close());
      const start = definition(
        [
          { id: 'start', kind: 'starter' },
          { id: 'end', kind: 'actor' },
        ],
        ['start → end'],
        { grants },
      );
      return (await runtime.compile({ project: 'p', revision: 1, definition: start })) as LivePipeline;
    },
  };
  return made;
}

/** Messages of a test that go through the capability broker, with the given rights. */
function sender(
  bus: MessageBus,
  principal: Principal,
  hops = 0,
): (channel: string, payload: unknown) => Promise<unknown> {
  const context = callContext({ pipeline: 'sender', principal, hops });
  const access = new CapabilityAccess(new CapabilityBroker([messageCapability(bus, copyPayload)]), context);
  return (channel, payload) => access.call('messages.send', { channel, payload });
}

const holding = (...scopes: Scope[]): Principal => grantsPrincipal(scopeMask(scopes));

describe('a trigger', () => {
  test('starts when its pipeline goes live, not before, and its runs have the grants', async () => {
    const { compile, seen } = world();
    const begun: Trigger[] = [];
    const pipeline = await compile((trigger) => begun.push(trigger), { grants: ['tag:read', 'vars:read'] });
    expect(begun).toEqual([]);
    pipeline.begin();
    expect(begun[0]?.emit({ tick: 1 })).toBe(true);
    await until('the run has ended', () => pipeline.active === 0);
    expect(seen).toEqual([{ payload: { tick: 1 }, rights: ['tag:read', 'vars:read'] }]);
  });

  test('starts nothing once its pipeline is halted or retired', async () => {
    const { compile, seen } = world();
    const begun: Trigger[] = [];
    const pipeline = await compile((trigger) => begun.push(trigger));
    pipeline.begin();
    pipeline.halt();
    expect(begun[0]?.emit(1)).toBe(false);
    await pipeline.retire({ hard: false });
    expect(begun[0]?.emit(2)).toBe(false);
    expect(seen).toEqual([]);
  });

  test('is refused more concurrent runs than its limit, and gets them again as they end', async () => {
    const made = world();
    const { promise, resolve } = Promise.withResolvers<void>();
    made.hold = promise;
    const begun: Trigger[] = [];
    const pipeline = await made.compile((trigger) => begun.push(trigger));
    pipeline.begin();
    const [trigger] = begun;
    const taken = Array.from({ length: RUNS_PER_TRIGGER_MAX + 5 }, (_, n) => trigger?.emit(n));
    expect(taken.filter((one) => one === true)).toHaveLength(RUNS_PER_TRIGGER_MAX);
    expect(trigger?.active).toBe(RUNS_PER_TRIGGER_MAX);
    resolve();
    await until('all have ended', () => trigger?.active === 0);
    expect(trigger?.emit('again')).toBe(true);
    await until('that one has ended too', () => pipeline.active === 0);
  });

  test('queues a run that has no time in this turn and starts it in a later one, or not once it is halted', async () => {
    const { compile, seen, pace, lines } = world();
    const begun: Trigger[] = [];
    const pipeline = await compile((trigger) => begun.push(trigger));
    pipeline.begin();
    const useUp = (): void =>
      pace.run(() => {
        while (pace.free);
      });
    useUp();
    expect(begun[0]?.emit(1)).toBe(true);
    expect([begun[0]?.active, pipeline.active]).toEqual([1, 0]);
    await until('it has run', () => seen.length === 1 && pipeline.active === 0);
    useUp();
    expect(begun[0]?.emit(2)).toBe(true);
    pipeline.halt();
    expect(begun[0]?.active).toBe(0);
    expect(lines).toEqual(['warn: 1 runs that waited for their turn did not begin: the pipeline was stopped']);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(seen).toHaveLength(1);
  });

  test('that throws when it starts leaves the pipeline running, which reports it', async () => {
    const { compile } = world();
    const pipeline = await compile(() => {
      throw new Error('no');
    });
    pipeline.begin();
    expect(pipeline.active).toBe(0);
    expect(pipeline.faults()).toEqual([{ node: 'start', code: 'node_failed', message: 'no' }]);
  });
});

describe('a message', () => {
  const receive = (trigger: Trigger): void => trigger.onMessages('orders');
  const all: Scope[] = ['tag:read', 'tag:write', 'vars:read'];

  test.each([
    { sender: all, grants: all, rights: all },
    { sender: all, grants: [] as Scope[], rights: [] as Scope[] },
    { sender: [] as Scope[], grants: all, rights: [] as Scope[] },
    {
      sender: ['tag:read', 'vars:read'] as Scope[],
      grants: ['tag:read', 'tag:write'] as Scope[],
      rights: ['tag:read'],
    },
  ])(
    'of a sender with $sender to a receiver with $grants runs with $rights',
    async ({ sender: from, grants, rights }) => {
      const { compile, bus, seen } = world();
      const pipeline = await compile(receive, { grants });
      pipeline.begin();
      await sender(bus, holding('script:execute', ...from))('orders', { id: 7 });
      await until('the message arrived', () => seen.length === 1);
      expect(seen).toEqual([{ payload: { id: 7 }, rights }]);
    },
  );

  test("keeps none of its sender's rights once that key is revoked", async () => {
    const made = world();
    const key = { scopes: scopeMask(SCOPES), revoked: false, limits: null, rehearsal: false, things: null };
    const pipeline = await made.compile(receive, { grants: all });
    pipeline.begin();
    const sent = sender(made.bus, key)('orders', 1);
    key.revoked = true;
    await sent;
    await until('the message arrived', () => made.seen.length === 1);
    expect(made.seen[0]?.rights).toEqual([]);
  });

  test('is refused when nobody receives on its channel, and without script:execute', async () => {
    const { compile, bus, seen } = world();
    const pipeline = await compile(receive, { grants: all });
    pipeline.begin();
    await expect(sender(bus, holding('script:execute'))('other', 1)).rejects.toThrow('no running pipeline');
    await expect(sender(bus, holding(...all))('orders', 1)).rejects.toThrow('script:execute');
    pipeline.halt();
    await expect(sender(bus, holding('script:execute'))('orders', 1)).rejects.toThrow('no running pipeline');
    expect(seen).toEqual([]);
  });

  test('shares no object with its sender', async () => {
    const { compile, bus, seen } = world();
    (await compile(receive)).begin();
    const payload = { lines: [1] };
    await sender(bus, holding('script:execute'))('orders', payload);
    payload.lines.push(2);
    await until('the message arrived', () => seen.length === 1);
    expect(seen[0]?.payload).toEqual({ lines: [1] });
  });

  /** Its runs wait for `resolve`. */
  async function busyReceiver() {
    const made = world();
    const { promise, resolve } = Promise.withResolvers<void>();
    made.hold = promise;
    const first = await made.compile(receive);
    first.begin();
    const send = sender(made.bus, holding('script:execute'));
    for (let n = 0; n < RUNS_PER_TRIGGER_MAX; n++) await send('orders', n);
    await until('the receiver is busy', () => made.seen.length === RUNS_PER_TRIGGER_MAX);
    return { made, first, send, resolve };
  }

  test('waits while its receiver is busy, and a receiver with too many waiting ones refuses the sender', async () => {
    const { made, send, resolve } = await busyReceiver();
    const count = RUNS_PER_TRIGGER_MAX + WAITING_MAX;
    for (let n = RUNS_PER_TRIGGER_MAX; n < count; n++) await send('orders', n);
    await expect(send('orders', 'one more')).rejects.toThrow('wait on the channel');
    resolve();
    await until('all were received', () => made.seen.length === count);
    expect(made.seen.map(({ payload }) => payload)).toEqual(Array.from({ length: count }, (_, n) => n));
  });

  test('that waits goes to the next revision of its pipeline, and is lost without one', async () => {
    const { made, first, send, resolve } = await busyReceiver();
    await send('orders', 'waiting');
    const second = await made.compile(receive);
    second.begin();
    first.halt();
    await until('the next revision has it', () => made.seen.at(-1)?.payload === 'waiting');
    second.halt();
    resolve();
    await expect(send('orders', 'late')).rejects.toThrow('no running pipeline');
  });

  test('ends a cycle of pipelines that start each other', async () => {
    const { compile, bus } = world();
    (await compile(receive)).begin();
    await expect(sender(bus, holding('script:execute'), HOPS_MAX)('orders', 1)).rejects.toThrow('form a circle');
  });
});

describe('a tag change', () => {
  const value: TagValue = { path: 'a', value: 1, quality: 'good', reason: null, time: null, unit: '' };

  function tagsWithListeners(): { tags: Tags; listeners: Set<TagListener> } {
    const listeners = new Set<TagListener>();
    const watch = (_project: string, _patterns: readonly string[], listener: TagListener): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };
    return { listeners, tags: { ...NO_TAGS, watch } };
  }

  test('is delivered to a pipeline that grants tag:read, until it is halted', async () => {
    const { tags, listeners } = tagsWithListeners();
    const { compile } = world(tags);
    const told: TagValue[] = [];
    const pipeline = await compile((trigger) => trigger.onTags(['a'], (one) => told.push(one)), {
      grants: ['tag:read'],
      scopes: ['tag:read'],
    });
    pipeline.begin();
    for (const listener of listeners) listener(value);
    const [kept] = listeners;
    pipeline.halt();
    expect(listeners.size).toBe(0);
    kept?.(value);
    expect(told).toEqual([value]);
  });

  test('is not delivered to a pipeline without that grant: it is refused at start, and by the trigger itself', async () => {
    const { tags, listeners } = tagsWithListeners();
    const { compile } = world(tags);
    const subscribe = (trigger: Trigger): void => trigger.onTags(['a'], () => undefined);
    await expect(compile(subscribe, { scopes: ['tag:read'] })).rejects.toThrow('needs the grant tag:read');
    // A kind that does not declare its scopes is refused too.
    (await compile(subscribe)).begin();
    expect(listeners.size).toBe(0);
  });
});
