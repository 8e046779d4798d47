/**
 * `node test/hardness/overload.ts [--seconds N]`: three times as many calls as the gateway can serve, by schedule,
 * whether they are answered or not. Gateway on core 0, callers on core 1, as in test/bench/scale.ts; 1,200 connections
 * at once from 16 addresses, kept as long as they are served, and some that come new. Ends by itself.
 *
 * Judged: calls on kept connections are fast enough (P99_RATIO_MAX), a new caller is answered in NEWCOMER_MS_MAX,
 * enough calls are served (GOODPUT_SHARE_MIN), all others are refused as `overloaded` with a time to retry, nothing is
 * reset or left unanswered, the gateway's memory, which a second overload must not raise further, and that it serves as
 * before at once when the load ends.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { call as callOnce, requestBytes } from '#test/raw-request.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { createVerdict } from '#test/verdict.ts';
import { type Child, startChild } from '../bench/child.ts';
import { requireMachine } from '../bench/machine.ts';
import type { OpenOrder, OpenResult } from '../bench/open-caller.ts';
import { MIB, setSize } from '../bench/set-size.ts';

const SECONDS = 15;
const WARM_UP_SECONDS = 4;
const CAPACITY_SECONDS = 6;
/** Callers that measure the capacity of the gateway: each sends the next call as soon as it has a response. */
const CLOSED_CONNECTIONS = 64;
const OVERLOAD = 3;
/** A burst is served completely: it takes a moment to distinguish it from an overload. */
const SETTLE_SECONDS = 3;
const P99_RATIO_MAX = 3;
/** Below this, a ratio would depend on the scheduler. */
const P99_MS_FLOOR = 10;
const GOODPUT_SHARE_MIN = 0.5;
const NEWCOMER_MS_MAX = 5_000;
const GROWTH_MIB_MAX = 128;
/** A second overload reuses the memory of the first one. */
const GROWTH_AGAIN_MIB_MAX = 32;
const FIRST_CALL_MS_MAX = 500;
const AFTER_P99_RATIO_MAX = 2;

const SERVER_PIN = ['taskset', '-c', '0'];
const key = makeKey({ name: 'MES line 7', scopes: ['db:write'] });
const PATH = '/api/v1/orders/4711';
/** So large that the callers, which have one core too, can offer several times the capacity of the gateway. */
const ORDER_LINES = 100;
const ORDER = JSON.stringify({
  orderId: 'WO-2026-004711',
  lines: Array.from({ length: ORDER_LINES }, (_, index) => ({
    position: index + 1,
    material: `M-${1000 + index}`,
    quantity: 10 * index,
  })),
});
const LINE_SCHEMA = {
  type: 'object',
  required: ['position', 'material', 'quantity'],
  properties: {
    position: { type: 'integer', minimum: 1 },
    material: { type: 'string', pattern: '^M-[0-9]+$' },
    quantity: { type: 'number', minimum: 0 },
  },
};
const SCHEMA = {
  type: 'object',
  required: ['orderId', 'lines'],
  properties: { orderId: { type: 'string' }, lines: { type: 'array', maxItems: ORDER_LINES, items: LINE_SCHEMA } },
};

const { judge, end } = createVerdict();

async function main(): Promise<void> {
  const seconds = readSeconds();
  requireMachine();
  // Programs that are started from here on run on the other core, except the gateway.
  spawnSync('taskset', ['-cp', '1', String(process.pid)]);
  await using gateway = await start();
  const request = requestBytes({
    method: 'POST',
    path: PATH,
    key: key.value,
    headers: { 'Content-Type': 'application/json' },
    body: ORDER,
  });
  await using callers = await startChild('open-caller.ts', [String(gateway.port), request.toString('base64')]);
  await measure(callers, { seconds: WARM_UP_SECONDS, connections: CLOSED_CONNECTIONS });
  const capacity = await measure(callers, { seconds: CAPACITY_SECONDS, connections: CLOSED_CONNECTIONS });
  const perSecond = capacity.served / capacity.seconds;
  tell(`capacity, ${CLOSED_CONNECTIONS} callers in turn`, capacity);
  const half = await measure(callers, { seconds: CAPACITY_SECONDS, rate: perSecond / 2 });
  tell('half of it, by schedule', half);
  const before = setSize(gateway.pid);
  const peak = watchMemory(gateway);
  const over = await measure(callers, { seconds, rate: perSecond * OVERLOAD, settleSeconds: SETTLE_SECONDS });
  const firstMs = await firstCall(gateway);
  const after = await measure(callers, { seconds: CAPACITY_SECONDS, rate: perSecond / 2 });
  tell(`${OVERLOAD} times as many`, over);
  judgeOverload(over, { capacity, perSecond });
  const peakBytes = peak();
  const grown = (peakBytes - before) / MIB;
  judge(
    grown <= GROWTH_MIB_MAX,
    `${(peakBytes / MIB).toFixed(0)} MiB at most, ${grown.toFixed(0)} more than before (at most ${GROWTH_MIB_MAX})`,
  );
  tell('half again, right after', after);
  judge(firstMs <= FIRST_CALL_MS_MAX, `the first call after it is served in ${firstMs.toFixed(0)} ms`);
  judge(others(after) === 0 && after.overloaded === 0, 'after it, nothing is refused');
  const ratio = after.p99Ms / Math.max(P99_MS_FLOOR, half.p99Ms);
  judge(ratio <= AFTER_P99_RATIO_MAX, `p99 after it ${ratio.toFixed(2)}× that before (at most ${AFTER_P99_RATIO_MAX})`);
  const peakAgain = watchMemory(gateway);
  await measure(callers, { seconds, rate: perSecond * OVERLOAD, settleSeconds: SETTLE_SECONDS });
  const more = (peakAgain() - peakBytes) / MIB;
  judge(more <= GROWTH_AGAIN_MIB_MAX, `the same overload again takes ${more.toFixed(0)} MiB more at most`);
  end();
}

function judgeOverload(over: OpenResult, { capacity, perSecond }: { capacity: OpenResult; perSecond: number }): void {
  const ratio = over.p99Ms / Math.max(P99_MS_FLOOR, capacity.p99Ms);
  judge(
    ratio <= P99_RATIO_MAX,
    `p99 of what is served ${ratio.toFixed(2)}× that at capacity (at most ${P99_RATIO_MAX})`,
  );
  const share = over.served / over.seconds / perSecond;
  judge(
    share >= GOODPUT_SHARE_MIN,
    `served ${(share * 100).toFixed(0)} % of capacity (at least ${GOODPUT_SHARE_MIN * 100} %)`,
  );
  const slowestMs = Math.max(over.newcomersMaxMs, over.overloadedMaxMs);
  judge(slowestMs <= NEWCOMER_MS_MAX, `who comes new is answered in ${slowestMs.toFixed(0)} ms at most`);
  judge(over.overloaded > 0, `${over.overloaded} were refused as \`overloaded\``);
  judge(over.withRetryAfter === over.overloaded, `${over.withRetryAfter} of them when to try again`);
  judge(others(over) === 0, `any other outcome: ${JSON.stringify(over.others)}`);
}

const others = (result: OpenResult): number => Object.values(result.others).reduce((sum, one) => sum + one, 0);

const measure = (callers: Child, order: OpenOrder): Promise<OpenResult> =>
  callers.ask(order, (order.seconds + 60) * 1000) as Promise<OpenResult>;

function tell(name: string, result: OpenResult): void {
  const perSecond = (calls: number) => `${(calls / result.seconds).toFixed(0)}/s`;
  const offered = result.offered === 0 ? '' : `${perSecond(result.offered)} due, `;
  const refused =
    result.overloaded === 0
      ? ''
      : `; overloaded ${perSecond(result.overloaded)}, p99 ${result.overloadedP99Ms.toFixed(1)} ms`;
  const unsent = result.unsent === 0 ? '' : `; ${perSecond(result.unsent)} found no free connection at the caller`;
  console.log(
    `${name}: ${offered}${perSecond(result.served)} served, p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms, max ${result.maxMs.toFixed(0)} ms; ${result.newcomers} who came new, p50 ${result.newcomersP50Ms.toFixed(1)} ms, max ${result.newcomersMaxMs.toFixed(0)} ms${refused}${unsent}; ${result.opened} connections opened, sent p99 ${result.lateP99Ms.toFixed(1)} ms late`,
  );
}

async function start(): Promise<TestGateway & AsyncDisposable> {
  const pipeline = routePipeline({
    id: 'orders',
    method: 'POST',
    path: '/api/v1/orders/:id',
    route: { requiredScopes: ['db:write'], allowedIps: ['127.0.0.0/8'] },
    middle: [
      { kind: 'validate', settings: { schema: SCHEMA } },
      { kind: 'set', settings: { assign: [{ path: 'payload.body', from: 'payload.params' }] } },
    ],
  });
  return startGateway({ prefix: SERVER_PIN, pipelines: [pipeline], keys: [key] });
}

/** Returns the highest memory of the gateway since then. */
function watchMemory(gateway: TestGateway): () => number {
  let peak = 0;
  const look = () => (peak = Math.max(peak, setSize(gateway.pid)));
  const timer = setInterval(look, 500);
  return () => {
    clearInterval(timer);
    look();
    return peak;
  };
}

async function firstCall(gateway: TestGateway): Promise<number> {
  const fromMs = performance.now();
  const headers = { 'Content-Type': 'application/json' };
  const { status } = await callOnce(gateway.port, {
    method: 'POST',
    path: PATH,
    key: key.value,
    headers,
    body: ORDER,
  });
  return status === 200 ? performance.now() - fromMs : Number.POSITIVE_INFINITY;
}

function readSeconds(): number {
  const { values } = parseArgs({ options: { seconds: { type: 'string' } } });
  const seconds = Number(values.seconds ?? SECONDS);
  if (!Number.isInteger(seconds) || seconds < 5 || seconds > 600)
    throw new Error(`--seconds is "${values.seconds}"; expected a whole number from 5 to 600`);
  return seconds;
}

await main();
