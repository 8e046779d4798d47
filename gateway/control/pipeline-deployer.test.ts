import { beforeEach, expect, test } from 'vitest';
import type { PipelineStart } from '#common/control/messages.ts';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { emptyContext } from '../http/empty-context.testing.ts';
import type { GatewayContext } from '../http/gateway-context.ts';
import type { CompiledPipeline, PipelineRuntime } from '../pipeline/contract.ts';
import { PipelineDeployer } from './pipeline-deployer.ts';

/** The first snapshot of a gateway (docs/spec/processes.md#changes); compilation is tested elsewhere. */
let edge: GatewayContext;
let deployer: PipelineDeployer;

beforeEach(() => {
  ({ edge } = emptyContext());
  deployer = new PipelineDeployer(edge, { compile } as unknown as PipelineRuntime);
});

function compile({ project, definition: { id } }: PipelineStart): Promise<CompiledPipeline> {
  if (id === 'broken') return Promise.reject(new Error('not for the caller'));
  const nothing = () => Promise.resolve();
  const compiled = { project, id, entries: [], begin: nothing, halt: nothing, retire: nothing };
  return Promise.resolve(compiled as unknown as CompiledPipeline);
}

const starts = (...ids: string[]) => ({
  pipelines: ids.map((id): PipelineStart => ({
    project: 'p',
    revision: 1,
    definition: pipelineDefinition.parse(routePipeline({ id, path: `/${id}` })),
  })),
  stoppedRoutes: [{ project: 'p', pipeline: 'old', method: 'GET' as const, urlPattern: '/old/:id' }],
});

test('the event loop turns between two pipelines, and the table changes once', async () => {
  let turns = 0;
  let counting = true;
  const count = (): void => {
    turns += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const before = edge.table;
  const seen: [turns: number, isOldTable: boolean][] = [];
  await deployer.startAll(starts('a', 'b', 'c'), () => seen.push([turns, edge.table === before]));
  counting = false;
  expect(new Set(seen.map(([turn]) => turn)).size).toBe(3);
  expect(seen.every(([, isOldTable]) => isOldTable)).toBe(true);
  expect([...edge.table.pipelines.keys()]).toEqual(['p/a', 'p/b', 'p/c']);
});

test('a pipeline that does not compile is reported without its cause, and the others start', async () => {
  const failed = await deployer.startAll(starts('a', 'broken', 'c'), () => undefined);
  expect(failed).toMatchObject([{ project: 'p', pipeline: 'broken', errors: [{ code: 'internal' }] }]);
  expect(JSON.stringify(failed)).not.toContain('not for the caller');
  expect([...edge.table.pipelines.keys()]).toEqual(['p/a', 'p/c']);
});

test('a pipeline that is stopped while the first snapshot compiles is not started', async () => {
  await deployer.startAll(starts('a', 'b'), (done) => {
    if (done === 1) deployer.stop('p', 'a');
  });
  expect([[...edge.table.pipelines.keys()], deployer.running('p', 'a')]).toEqual([['p/b'], null]);
  expect(edge.table.missOf('GET', '/a')).toMatchObject({ cause: 'pipeline_stopped', near: { pipeline: 'a' } });
});

test('a route of a pipeline that was stopped before the start, or that failed to start, is not unknown', async () => {
  await deployer.startAll(starts('a', 'broken'), () => undefined);
  const missed = (path: string) => edge.table.missOf('GET', path);
  expect(missed('/old/7')).toMatchObject({ cause: 'pipeline_stopped', near: { project: 'p', pipeline: 'old' } });
  expect(missed('/broken')).toMatchObject({ cause: 'pipeline_stopped', near: { project: 'p', pipeline: 'broken' } });
  expect(missed('/nothing').cause).toBe('no_route');
});
