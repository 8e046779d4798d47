/**
 * `node test/hardness/fairness.ts [--seconds N] [--only TEXT]`: for each cap that callers share (fairness-cases.ts),
 * one greedy key or network at full force against 20 polite callers of 20 other projects, each of which posts a small
 * order ten times a second on a kept connection and opens a new one for every tenth. Ends by itself.
 *
 * Judged: the polite lose no call, and their p99 stays within 3 times that of a quiet gateway. The table also
 * has the machine's own part: the p99 of the same polite calls to a plain server in an idle process, under the same attack.
 */
import { parseArgs } from 'node:util';
import { startGateway } from '#test/gateway.ts';
import { makeKey, type TestKey } from '#test/make-key.ts';
import { openRaw, type RawConnection, requestBytes } from '#test/raw-request.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { createVerdict } from '#test/verdict.ts';
import { startChild } from '../bench/child.ts';
import { CASES, type FairnessCase, GREEDY_PROJECT } from './fairness-cases.ts';
import type { GreedyOrder, GreedyResult } from './greedy-caller.ts';

/** Long enough that one burst, such as all connections opening at once, is less than 1 % of the polite calls. */
const SECONDS = 30;
const POLITE_CALLERS = 20;
const EVERY_MS = 100;
const NEW_CONNECTION_EVERY = 10;
const P99_RATIO_MAX = 3;
/** Below this, a ratio would depend on the scheduler. */
const P99_MS_FLOOR = 10;
const CALL_MS_MAX = 10_000;
const BEGIN_MS_MAX = 60_000;

interface PlainServer {
  readonly port: number;
}

interface Measured {
  readonly ms: number[];
  readonly lost: Record<string, number>;
}

const { judge, end } = createVerdict();

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seconds: { type: 'string' }, only: { type: 'string' } } });
  const seconds = Number(values.seconds ?? SECONDS);
  if (!(seconds >= 1 && seconds <= 600)) throw new Error(`--seconds is "${values.seconds}"; expected 1 to 600`);
  const rows: Record<string, unknown>[] = [];
  await using plain = await startChild('../hardness/plain-server.ts', []);
  for (const one of CASES.filter(({ cap }) => cap.includes(values.only ?? '')))
    rows.push(await run(one, plain.hello as PlainServer, seconds));
  console.table(rows);
  end();
}

async function run(one: FairnessCase, plain: PlainServer, seconds: number): Promise<Record<string, unknown>> {
  const greedy = makeKey({ project: GREEDY_PROJECT, name: 'Greedy' });
  const polite = Array.from({ length: POLITE_CALLERS }, (_, n) => makeKey({ project: `polite-${n}` }));
  await using gateway = await startGateway({
    keys: [greedy, ...polite],
    pipelines: [
      ...one.pipelines.map((definition) => ({ project: GREEDY_PROJECT, definition })),
      ...polite.map(({ entry: { project } }) => ({
        project,
        definition: routePipeline({ id: 'order', method: 'POST', path: `/${project}` }),
      })),
    ],
  });
  const call = (ms: number) => politely(gateway.port, polite, ms);
  await call(1_000);
  const quiet = await call(seconds * 1_000);
  await using child = await startChild('../hardness/greedy-caller.ts', []);
  const { connections, addresses } = one;
  const request = one.request(greedy);
  const heads = request.length === 0 ? [] : [request.toString('base64')];
  const order: GreedyOrder = { port: gateway.port, connections, addresses, heads, body: '' };
  await child.ask(order, BEGIN_MS_MAX);
  const attacked = await call(seconds * 1_000);
  const elsewhere = await politely(plain.port, polite, seconds * 1_000);
  const told = (await child.ask('result', BEGIN_MS_MAX)) as GreedyResult;
  const [quietP99, p99] = [percentile(quiet.ms), percentile(attacked.ms)];
  const ratio = p99 / Math.max(P99_MS_FLOOR, quietP99);
  const lost = Object.values(attacked.lost).reduce((sum, count) => sum + count, 0);
  judge(
    lost === 0,
    `${one.cap}: the polite lost ${lost} of ${attacked.ms.length + lost} ${JSON.stringify(attacked.lost)}`,
  );
  judge(ratio <= P99_RATIO_MAX, `${one.cap}: their p99 ${ratio.toFixed(1)} times that of quiet`);
  return {
    cap: one.cap,
    'calls of the polite': attacked.ms.length + lost,
    lost,
    'p99 quiet, ms': Math.round(quietP99),
    'p99, ms': Math.round(p99),
    'p99 of a plain server, ms': Math.round(percentile(elsewhere.ms)),
    'max, ms': Math.round(Math.max(...attacked.ms)),
    greedy: JSON.stringify(told.statuses),
  };
}

/** All callers on a schedule, regardless of response times. */
async function politely(port: number, keys: readonly TestKey[], forMs: number): Promise<Measured> {
  const measured: Measured = { ms: [], lost: {} };
  await Promise.all(keys.map((key, n) => caller(port, key, `127.70.0.${n + 1}`, forMs, measured)));
  return measured;
}

async function caller(port: number, key: TestKey, localAddress: string, forMs: number, into: Measured): Promise<void> {
  const path = `/${key.entry.project}`;
  const body = JSON.stringify({ orderId: 'WO-2026-004711', quantity: 10 });
  const request = requestBytes({
    method: 'POST',
    path,
    key: key.value,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const startMs = performance.now();
  let line: RawConnection | null = null;
  for (let n = 0; n * EVERY_MS < forMs; n++) {
    const dueMs = startMs + n * EVERY_MS;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
    try {
      if (n % NEW_CONNECTION_EVERY === 0) {
        await line?.[Symbol.asyncDispose]();
        line = null;
      }
      line ??= await openRaw(port, { localAddress });
      line.send(request);
      const { status } = await line.next(CALL_MS_MAX);
      if (status !== 200) throw new Error(`status ${status}`);
      into.ms.push(performance.now() - dueMs);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      into.lost[why] = (into.lost[why] ?? 0) + 1;
      line = null;
    }
  }
  await line?.[Symbol.asyncDispose]();
}

function percentile(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? 0;
}

await main();
