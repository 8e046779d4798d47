import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GatewayEvent } from '#common/control/messages.ts';
import type { CompiledPipeline } from '../pipeline/contract.ts';
import { ReplyWarnings } from './reply-warnings.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A pipeline whose node `out` has sent `count` such replies. */
function compiled(id: string) {
  const pipeline = { project: 'line-1', id, count: 0, errorsWith200: () => [{ node: 'out', count: pipeline.count }] };
  return pipeline as typeof pipeline & CompiledPipeline;
}

function open(...running: CompiledPipeline[]) {
  const live = new Set(running);
  const sent: GatewayEvent[] = [];
  const warnings = new ReplyWarnings(
    (event) => sent.push(event),
    (pipeline) => live.has(pipeline),
  );
  const reply = (pipeline: ReturnType<typeof compiled>) => {
    pipeline.count += 1;
    warnings.replied(pipeline);
  };
  const told = () =>
    sent.map((event) => event.kind === 'pipeline-warning' && [event.pipeline, event.errorsWith200[0]?.count ?? null]);
  return { live, warnings, reply, told };
}

test('the first such reply is reported at once, later ones every 10 s, and nothing while there are none', () => {
  const orders = compiled('orders');
  const { reply, told } = open(orders);
  for (let i = 0; i < 5; i++) reply(orders);
  expect(told()).toEqual([['orders', 1]]);
  vi.advanceTimersByTime(10_000);
  expect(told()).toEqual([
    ['orders', 1],
    ['orders', 5],
  ]);
  vi.advanceTimersByTime(60_000);
  expect(told()).toHaveLength(2);
});

test('a late reply of a replaced revision is not reported', () => {
  const [before, after] = [compiled('orders'), compiled('orders')];
  const { live, warnings, reply, told } = open(before);
  reply(before);
  reply(before);
  live.delete(before);
  live.add(after);
  warnings.forget('line-1', 'orders');
  reply(before);
  vi.advanceTimersByTime(60_000);
  expect(told()).toEqual([
    ['orders', 1],
    ['orders', null],
  ]);
  reply(after);
  expect(told().at(-1)).toEqual(['orders', 1]);
});

test('a start of a pipeline without a warning, or of another one, reports nothing', () => {
  const orders = compiled('orders');
  const { warnings, reply, told } = open(orders);
  reply(orders);
  warnings.forget('line-1', 'other');
  warnings.forget('line-2', 'orders');
  expect(told()).toHaveLength(1);
});
