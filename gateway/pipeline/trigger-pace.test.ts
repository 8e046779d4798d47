import { afterEach, beforeEach, expect, test } from 'vitest';
import { kinds as shipped } from '#plugins';
import { NO_EGRESS } from '#sdk/testing.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import { CapabilityBroker } from '../capabilities/capability-broker.ts';
import { MessageBus } from '../capabilities/messages/bus.ts';
import { Pace } from '../capabilities/pace.ts';
import { fed, type TagsWorld, tagsWorld } from '../capabilities/tags/tags-world.testing.ts';
import { actor, definition, type LoggedLine, noScripts } from './harness.ts';
import type { LivePipeline } from './pipeline.ts';
import { createPipelineRuntime } from './runtime.ts';
import { unwatchedRuns } from './run-watch/run-watch.ts';

/** Runs that compute without waiting: each has ended when it has begun, so a limit of active runs has no effect. */
const RUN_MS = 1;
/** Twice the runs that can begin in a turn: one of the test's own turns may see the end of one and all of the next. */
const RUNS_PER_TURN_MAX = 30;

interface Seen {
  readonly payload: unknown;
  /** Turn of the event loop. */
  readonly turn: number;
}

const dir = dirPerTest();
let tags: TagsWorld;
let lines: LoggedLine[];
let seen: Seen[];
let turn: number;
let turning: NodeJS.Immediate;
let runtime: ReturnType<typeof createPipelineRuntime>;

beforeEach(() => {
  tags = tagsWorld(dir.path);
  [lines, seen, turn] = [[], [], 0];
  const count = (): void => {
    turn += 1;
    turning = setImmediate(count);
  };
  count();
  const busy = actor({
    busy: {
      run({ payload }) {
        seen.push({ payload, turn });
        const endMs = performance.now() + RUN_MS;
        while (performance.now() < endMs);
        return undefined;
      },
    },
  });
  const pace = new Pace();
  runtime = createPipelineRuntime({
    watch: unwatchedRuns(),
    kinds: [...shipped, busy],
    scripts: noScripts,
    egress: () => NO_EGRESS,
    surroundings: { door: new CapabilityBroker([]), bus: new MessageBus(pace), pace, tags: tags.tags },
    log: (level, message, fields) => lines.push({ level, message, fields }),
  });
});

afterEach(async () => {
  clearImmediate(turning);
  await runtime.close();
  await tags.tags.close();
});

async function begun(kind: string, settings: object, id = 'test'): Promise<LivePipeline> {
  const nodes = [
    { id: 'start', kind, settings },
    { id: 'busy', kind: 'actor' },
  ];
  const start = definition(nodes, ['start → busy'], { id, grants: ['tag:read'] });
  const pipeline = (await runtime.compile({ project: 'line-1', revision: 1, definition: start })) as LivePipeline;
  pipeline.begin();
  return pipeline;
}

const runsOfATurnMost = (): number =>
  Math.max(...[...Map.groupBy(seen, (one) => one.turn).values()].map((of) => of.length));
const changes = (): (readonly [unknown, unknown])[] =>
  seen.map(({ payload }) => payload as { tag: string; value: unknown }).map(({ tag, value }) => [tag, value] as const);

const paths = (count: number): string[] => Array.from({ length: count }, (_, n) => `t${n}`);

test('hundreds of tag changes in one turn run over several turns, in order, and no change is lost', async () => {
  const all = paths(200);
  tags.configure(all.map((path) => fed(path)));
  const { give } = tags.device();
  for (const path of all) give(path, 0);
  await begun('tag-change', { tags: '**' });
  // Each tag twice, as a subscription with a queue at the server reports it: a pulse is two changes.
  for (const path of all) for (const value of [1, 0]) give(path, value);
  const told = all.flatMap((path) => [1, 0].map((value) => [path, value] as const));
  expect(seen.length, 'in the turn that reported them').toBeLessThan(RUNS_PER_TURN_MAX);
  await until('all have run', () => seen.length === told.length);
  expect(changes()).toEqual(told);
  expect(runsOfATurnMost()).toBeLessThan(RUNS_PER_TURN_MAX);
});

test('many pipelines share one turn: the number of runs does not grow with the number of pipelines', async () => {
  tags.configure([fed('a')]);
  const { give } = tags.device();
  give('a', 0);
  const ids = Array.from({ length: 100 }, (_, n) => `p${n}`);
  for (const id of ids) await begun('tag-change', { tags: 'a' }, id);
  give('a', 1);
  await until('all have run', () => seen.length === ids.length);
  expect(runsOfATurnMost()).toBeLessThan(RUNS_PER_TURN_MAX);
});

test('timers that are due at one moment start their runs over several turns, each tick once', async () => {
  const ids = Array.from({ length: 100 }, (_, n) => `p${n}`);
  const pipelines = await Promise.all(ids.map((id) => begun('timer', { every: 1 }, id)));
  await until('all have ticked', () => seen.length >= ids.length, { timeoutMs: 10_000 });
  for (const pipeline of pipelines) pipeline.halt();
  expect(runsOfATurnMost()).toBeLessThan(RUNS_PER_TURN_MAX);
  expect(seen.filter(({ payload }) => (payload as { tick: number }).tick === 1)).toHaveLength(ids.length);
});

test('values that wait for their turn start no run once the pipeline is halted, and their number is reported', async () => {
  const all = paths(100);
  tags.configure(all.map((path) => fed(path)));
  const { give } = tags.device();
  for (const path of all) give(path, 0);
  const changing = await begun('tag-change', { tags: '**' });
  for (const path of all) give(path, 1);
  const ran = seen.length;
  changing.halt();
  // On a slow machine, a value may have been read whose run had to wait for the next turn.
  const reported = lines.map(({ level, message }) => /^warn: (\d+) (.*)$/.exec(`${level}: ${message}`)?.slice(1) ?? []);
  expect(reported.map(([, text]) => text)).toEqual(
    [
      'values of tags were not looked at: the pipeline was stopped',
      'runs that waited for their turn did not begin: the pipeline was stopped',
    ].slice(0, reported.length),
  );
  expect(reported.reduce((sum, [count]) => sum + Number(count), 0)).toBe(all.length - ran);
  await begun('tag-change', { tags: '**' }, 'after');
  give('t0', 2);
  await until('another run begins', () => seen.length > ran);
  expect(changes().slice(ran)).toEqual([['t0', 2]]);
  expect(changing.active).toBe(0);
});
