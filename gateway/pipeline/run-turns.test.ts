import { expect, test } from 'vitest';
import type { Message } from '#common/model/message.ts';
import { actor, definition, ingress, makeHarness, message, response } from './harness.ts';
import type { LivePipeline } from './pipeline.ts';

const BUSY_MS = 8;

/** Blocks the event loop, like an expensive check. */
function busy(): void {
  const endMs = performance.now() + BUSY_MS;
  while (performance.now() < endMs);
}

async function projects() {
  const order: string[] = [];
  const acts = { work: { run: (input: Message) => (busy(), { port: 'out', message: input }) } };
  const { runtime } = makeHarness([actor(acts)]);
  const compile = async (project: string) => {
    const nodes = [ingress(), { id: 'work', kind: 'actor', settings: {} }, response()];
    const pipeline = definition(nodes, ['in → work → reply']);
    return (await runtime.compile({ project, revision: 1, definition: pipeline })) as LivePipeline;
  };
  const [greedy, polite] = [await compile('greedy'), await compile('polite')];
  const start = (pipeline: LivePipeline) =>
    new Promise<void>((resolve) => {
      const rights = pipeline.grants;
      pipeline.entries[0]?.start(message({}), rights, {
        done: () => {
          order.push(pipeline.project);
          resolve();
        },
      });
    });
  return { order, greedy, polite, start };
}

test('runs of a project that used up its part of a turn wait for later ones, and another project is served', async () => {
  const { order, greedy, polite, start } = await projects();
  const all = Array.from({ length: 10 }, () => start(greedy));
  expect(order).toEqual(['greedy']);
  all.push(start(polite));
  expect(order).toEqual(['greedy', 'polite']);
  let turns = 0;
  let over = false;
  const count = (): void => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  count();
  await Promise.all(all);
  over = true;
  expect(order.filter((project) => project === 'greedy')).toHaveLength(10);
  // One turn takes at most two of BUSY_MS.
  expect(turns).toBeGreaterThanOrEqual(5);
});

test('two waiting projects each get their turn', async () => {
  const { order, greedy, polite, start } = await projects();
  await Promise.all([
    ...Array.from({ length: 6 }, () => start(greedy)),
    ...Array.from({ length: 3 }, () => start(polite)),
  ]);
  expect(order.lastIndexOf('polite')).toBeLessThan(7);
});
