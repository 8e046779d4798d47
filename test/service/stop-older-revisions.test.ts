import { expect, test } from 'vitest';
import { STOPPED_CODE } from '#common/errors/gateway-codes.ts';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import { expectRefusal } from '#test/expect-refusal.ts';
import { pipelineStart, startGateway } from '#test/gateway.ts';
import { makeKey, TEST_PROJECT } from '#test/make-key.ts';
import { call, openRaw, requestBytes } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/** A stop applies to every revision with unfinished work, not only the newest. */
const key = makeKey();
const endless = { kind: 'delay', settings: { seconds: 300 } };
const take = () => routePipeline({ id: 'take', method: 'POST', path: '/take', ...fixedReply('taken') });
const wait = () => routePipeline({ id: 'wait', path: '/wait', route: { timeout: 300 }, middle: [endless] });
const tick = () => ({
  id: 'tick',
  name: 'tick',
  nodes: [
    { id: 'timer', kind: 'timer', settings: { every: 1, timeout: 300 } },
    { id: 'log', kind: 'log', settings: { message: 'one began' } },
    { id: 'endless', ...endless },
  ],
  wires: [
    { from: 'timer', port: 'out', to: 'log' },
    { from: 'log', port: 'out', to: 'endless' },
  ],
});
const stop = (pipeline: string) => ({ kind: 'stop', project: TEST_PROJECT, pipeline }) as const;
const start = (pipeline: Parameters<typeof pipelineStart>[0], revision: number) =>
  ({ kind: 'start', start: pipelineStart(pipelineDefinition.parse(pipeline), TEST_PROJECT, revision) }) as const;

test('a request whose body was incomplete at a swap does not run after a stop', async () => {
  await using gateway = await startGateway({ keys: [key], pipelines: [take()] });
  await using caller = await openRaw(gateway.port);
  // So much of it that its caller is not considered slow before the stop.
  const body = JSON.stringify('x'.repeat(32 * 1024));
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
  caller.send(requestBytes({ method: 'POST', path: '/take', key: key.value, headers }));
  caller.send(body.slice(0, -1));
  const held = async () => (await gateway.call('stats', {})).bodyBytes;
  await until('all but its last byte is there', async () => (await held()) === body.length - 1);
  for (const revision of [2, 3]) await gateway.change(start(take(), revision));
  await gateway.change(stop('take'));
  caller.send(body.slice(-1));
  const requestId = expectRefusal(await caller.next(), STOPPED_CODE);
  expect(await gateway.journalRows(requestId)).toMatchObject([{ type: 'refusal', why: { cause: 'pipeline_stopped' } }]);
});

test('the journal names a route that was stopped before the gateway started', async () => {
  const stopped = { project: TEST_PROJECT, pipeline: 'parts', method: 'GET' as const, urlPattern: '/parts/:id' };
  await using gateway = await startGateway({ keys: [key], stoppedRoutes: [stopped] });
  const response = await call(gateway.port, { path: '/parts/7', key: key.value });
  const requestId = expectRefusal(response, STOPPED_CODE);
  const compared = { project: TEST_PROJECT, pipeline: 'parts', urlPattern: '/parts/:id' };
  expect(await gateway.journalRows(requestId)).toMatchObject([
    { type: 'refusal', why: { cause: 'pipeline_stopped', compared } },
  ]);
});

test('runs of an older revision are cancelled some time after a stop', { timeout: 40_000 }, async () => {
  await using gateway = await startGateway({ keys: [key], pipelines: [wait(), tick()] });
  await using caller = await openRaw(gateway.port);
  caller.send(requestBytes({ path: '/wait', key: key.value }));
  await until('it runs', async () => (await gateway.call('stats', {})).inFlight === 1);
  await until('the timer has begun one', () => gateway.log().includes('one began'));
  for (const pipeline of [wait(), tick()]) await gateway.change(start(pipeline, 2));
  for (const { id } of [wait(), tick()]) await gateway.change(stop(id));
  expectRefusal(await caller.next(20_000), 'overloaded');
  const ended = async () => {
    const runs = await gateway.call('runs', { project: TEST_PROJECT, pipeline: 'tick' });
    return runs.find(({ revision }) => revision === 1)?.outcome;
  };
  expect(await until('the triggered run has ended', ended, { timeoutMs: 20_000 })).toBe('cancelled');
});
