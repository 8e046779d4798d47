import { afterEach, describe, expect, test } from 'vitest';
import { tagDefinition } from '#common/model/tag.ts';
import { NO_RESOURCES } from '#common/model/resources.ts';
import { createLogger } from '#common/node/log.ts';
import { TargetGuard } from '#net/target-guard.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { CapabilityBroker } from '../gateway/capabilities/capability-broker.ts';
import { ENDLESS_DISK } from '../gateway/capabilities/disk-room.testing.ts';
import { MessageBus } from '../gateway/capabilities/messages/bus.ts';
import { Pace } from '../gateway/capabilities/pace.ts';
import { createTags, type LiveTags } from '../gateway/capabilities/tags/tags.ts';
import { definition, dispatch, ingress, noScripts, response } from '../gateway/pipeline/harness.ts';
import type { LivePipeline } from '../gateway/pipeline/pipeline.ts';
import { createPipelineRuntime } from '../gateway/pipeline/runtime.ts';
import { unwatchedRuns } from '../gateway/pipeline/run-watch/run-watch.ts';
import { grantsPrincipal } from '../gateway/capabilities/principal.ts';
import { type Scope, scopeMask } from '#common/scopes.ts';
import { kinds } from './index.ts';
import { NO_EGRESS } from '#sdk/testing.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** The kinds in the real runtime, with the real broker and memory tags behind it. */
async function plant(
  ...paths: string[]
): Promise<{ tags: LiveTags; compile: (...of: unknown[]) => Promise<LivePipeline> }> {
  const dir = await tempDir();
  closers.push(dir.remove);
  const log = createLogger('test', () => undefined);
  const tags = createTags({ dataDir: dir.path, guard: new TargetGuard([]), log, disk: ENDLESS_DISK, providers: {} });
  closers.push(() => tags.close());
  const memory = paths.map((path) =>
    tagDefinition.parse({ path, type: 'number', writable: true, source: { provider: 'memory', initial: 0 } }),
  );
  await tags.configure?.('p', { ...NO_RESOURCES('p'), tags: memory });
  const pace = new Pace();
  const runtime = createPipelineRuntime({
    watch: unwatchedRuns(),
    kinds,
    scripts: noScripts,
    egress: () => NO_EGRESS,
    surroundings: { door: new CapabilityBroker([tags]), bus: new MessageBus(pace), pace, tags },
    log: () => undefined,
  });
  closers.push(() => runtime.close());
  return {
    tags,
    compile: async (...of) => {
      const read = definition(...(of as Parameters<typeof definition>));
      return (await runtime.compile({ project: 'p', revision: 1, definition: read })) as LivePipeline;
    },
  };
}

const holding = (...scopes: Scope[]) => grantsPrincipal(scopeMask(scopes));
const WRITE_AND_READ = [
  ingress(),
  {
    id: 'write',
    kind: 'tag-write',
    settings: { writes: [{ tag: 'line{{payload.line}}/set', from: 'payload.value' }] },
  },
  { id: 'read', kind: 'tag-read', settings: { tags: 'line*/set', into: 'payload.body' } },
  response(),
];

describe('a pipeline', () => {
  test('writes a tag and reads it back with its quality', async () => {
    const { compile } = await plant('line7/set', 'line8/set');
    const pipeline = await compile(WRITE_AND_READ, ['in → write → read → reply']);
    const { told } = dispatch(pipeline, { line: 7, value: 120 }, holding('tag:read', 'tag:write'));
    const result = await told;
    if (result.kind !== 'reply') throw new Error(`expected a reply; the run ended as ${result.kind}`);
    expect(JSON.parse(String(result.reply.body))).toMatchObject([
      { path: 'line7/set', value: 120, quality: 'good' },
      { path: 'line8/set', value: 0, quality: 'good' },
    ]);
  });

  test.each<[Scope, Scope]>([
    ['tag:read', 'tag:write'],
    ['tag:write', 'tag:read'],
  ])('with only %s is refused because %s is missing', async (held, missing) => {
    const { compile } = await plant('line7/set');
    const pipeline = await compile(WRITE_AND_READ, ['in → write → read → reply']);
    const result = await dispatch(pipeline, { line: 7, value: 120 }, holding(held)).told;
    expect(JSON.stringify(result)).toContain(missing);
    expect(result.kind).not.toBe('reply');
  });

  test('starts when a tag changes, and its own write is stored', async () => {
    const { tags, compile } = await plant('line7/level', 'line7/seen');
    const pipeline = await compile(
      [
        { id: 'on', kind: 'tag-change', settings: { tags: 'line7/level', deadband: 1 } },
        { id: 'write', kind: 'tag-write', settings: { writes: [{ tag: 'line7/seen', from: 'payload.value' }] } },
      ],
      ['on → write'],
      { grants: ['tag:read', 'tag:write'] },
    );
    pipeline.begin();
    const writer = await compile(
      [
        ingress(),
        { id: 'w', kind: 'tag-write', settings: { writes: [{ tag: 'line7/level', from: 'payload' }] } },
        response(),
      ],
      ['in → w → reply'],
    );
    for (const level of [1, 5]) await dispatch(writer, level, holding('tag:write')).told;
    await until('the change was seen', () => tags.read('p', 'line7/seen').value === 5);
  });
});
