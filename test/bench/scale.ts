/**
 * `node test/bench/scale.ts [--quick] [--rounds N] [--seconds N]`: what many routes and many keys cost.
 *
 * - A request with 10 routes and 10 keys, with 1,000 routes, and with 10,000 keys: three gateways on one core, the load
 *   on another, all their routes and keys called in turn, rounds interleaved. Judged: CPU of a request within COST_MAX
 *   of the first's, as the median of the rounds' ratios.
 * - Publishing 1,000 routes, as a gateway's first state and one by one into a gateway at work, whose callers must see
 *   no failed call. How long the longest of them took is printed: from when it was due, the caller's own stalls
 *   included.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { pipelineStart, startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, type TestKey } from '#test/make-key.ts';
import { type PipelineInput, routePipeline } from '#test/route-pipeline.ts';
import { tempDir } from '#test/temp-dir.ts';
import { createVerdict } from '#test/verdict.ts';
import { startChild } from './child.ts';
import { createCpuClock } from './cpu-time.ts';
import { load, type Target } from './load.ts';
import { requireMachine } from './machine.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { readRounds, ROUND_FLAGS, type Rounds } from './round-flags.ts';
import { runMain } from './run-main.ts';
import type { SteadyResult } from './steady-caller.ts';
import { median } from './table.ts';
import { ALLOWED_ORIGIN, benchCaller, GET_PARAM } from './workloads.ts';

const FEW = 10;
const ROUTES = 1_000;
const KEYS = 10_000;
const COST_MAX = 1.05;
const PUBLISH_MS_MAX = 2_000;
const PAUSE_MS_MAX = 50;
const CALLS_PER_SECOND = 500;
/** Concurrent starts, as in the host. */
const STARTS_AT_ONCE = 8;
const QUIET_SECONDS = 4;
const WARM_UP_SECONDS = 3;
const SERVER_PIN = ['taskset', '-c', '0'];
const LOAD_PIN = ['taskset', '-c', '1'];

interface Subject {
  readonly name: string;
  readonly gateway: TestGateway;
  readonly targets: readonly Target[];
}

/** The callers of the benchmark send an origin. */
const OPEN = { corsEnabled: true, allowedOrigins: [ALLOWED_ORIGIN] };

const caller = benchCaller();
const verdict = createVerdict();

async function main(): Promise<void> {
  const rounds = readRounds({ rounds: 5, seconds: 4 }, { rounds: 2, seconds: 2 });
  requireMachine();
  await cost(rounds);
  await firstState();
  await underLoad();
  verdict.end();
}

async function cost(rounds: Rounds): Promise<void> {
  await using folder = await tempDir('sluice-bench-scale-');
  await using gateways = new AsyncDisposableStack();
  const subjects: Subject[] = [];
  for (const [routes, keys] of [
    [FEW, FEW],
    [ROUTES, FEW],
    [FEW, KEYS],
  ] as const) {
    const subject = await startSubject(routes, keys);
    gateways.defer(async () => void (await subject.gateway.stop()));
    subjects.push(subject);
  }
  using turns = new OneAtATime(subjects.map(({ gateway }) => gateway.pid));
  const cpu = createCpuClock();
  const perRequest = new Map<Subject, number[]>(subjects.map((one) => [one, []]));
  const once = async (subject: Subject, seconds: number): Promise<number> => {
    turns.turnOf(subject.gateway.pid);
    const before = cpu(subject.gateway.pid);
    const options = { port: subject.gateway.port, workload: GET_PARAM, caller, folder: folder.path, pin: LOAD_PIN };
    const { requests } = await load({ ...options, seconds, targets: subject.targets });
    return (cpu(subject.gateway.pid) - before) / requests;
  };
  for (const subject of subjects) await once(subject, WARM_UP_SECONDS);
  for (let round = 0; round < rounds.rounds; round++)
    for (const subject of subjects) perRequest.get(subject)?.push(await once(subject, rounds.seconds));
  const [few = []] = perRequest.values();
  for (const [{ name }, costs] of perRequest) {
    const ratio = median(costs.map((one, round) => one / (few[round] ?? Number.NaN)));
    const text = `${name.padEnd(28)} ${median(costs).toFixed(1)} µs CPU a request, ${ratio.toFixed(3)}×`;
    verdict.judge(ratio <= COST_MAX, `${text} (at most ${COST_MAX})`);
  }
}

async function startSubject(routes: number, keys: number): Promise<Subject> {
  const pipelines = many(routes);
  const made = Array.from({ length: keys }, () => makeKey());
  const gateway = await startGateway({ prefix: SERVER_PIN, pipelines, keys: made });
  // The same number for each: the callers must have the same work too.
  const targets = Array.from({ length: KEYS }, (_, index) => target(index, routes, made));
  return { name: `${routes} routes, ${keys} keys`, gateway, targets };
}

function target(index: number, routes: number, keys: readonly TestKey[]): Target {
  return { path: pathOf(index % routes), key: keys[index % keys.length]?.value ?? '' };
}

const pathOf = (index: number): string => `/api/v1/station-${index}/orders/4711?line=7`;

function many(count: number): PipelineInput[] {
  return Array.from({ length: count }, (_, index) =>
    routePipeline({ id: `station-${index}`, path: `/api/v1/station-${index}/orders/:id`, route: OPEN }),
  );
}

async function firstState(): Promise<void> {
  const empty = await startMs([]);
  const full = await startMs(many(ROUTES));
  console.log(
    `a gateway's first state with ${ROUTES} routes: ${full.toFixed(0)} ms, ${empty.toFixed(0)} ms of them without any`,
  );
}

async function startMs(pipelines: PipelineInput[]): Promise<number> {
  const from = performance.now();
  const gateway = await startGateway({ pipelines });
  const ms = performance.now() - from;
  await gateway.stop();
  return ms;
}

async function underLoad(): Promise<void> {
  const key = makeKey();
  const gateway = await startGateway({ pipelines: [routePipeline({ id: 'steady', path: '/steady' })], keys: [key] });
  try {
    await using steady = await startChild('steady-caller.ts', [
      String(gateway.port),
      '/steady',
      key.value,
      String(CALLS_PER_SECOND),
    ]);
    const measure = (seconds: number) => steady.ask({ seconds }, (seconds + 30) * 1000) as Promise<SteadyResult>;
    await measure(WARM_UP_SECONDS);
    const quiet = await measure(QUIET_SECONDS);
    const measuring = measure(QUIET_SECONDS);
    await sleep(500);
    const ms = await publish(gateway);
    const busy = await measuring;
    verdict.judge(
      ms <= PUBLISH_MS_MAX,
      `${ROUTES} routes into a gateway at work: ${ms.toFixed(0)} ms (at most ${PUBLISH_MS_MAX})`,
    );
    verdict.judge(busy.failed === 0, `of its callers' ${busy.calls} calls meanwhile ${busy.failed} failed`);
    verdict.judge(
      busy.maxMs <= PAUSE_MS_MAX,
      `the longest of them took ${busy.maxMs.toFixed(0)} ms, ${quiet.maxMs.toFixed(0)} without (at most ${PAUSE_MS_MAX})`,
    );
  } finally {
    await gateway.stop();
  }
}

/** Resolves to milliseconds until the last one is live. */
async function publish(gateway: TestGateway): Promise<number> {
  const from = performance.now();
  const left = many(ROUTES);
  const starter = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop())
      await gateway.change({ kind: 'start', start: pipelineStart(next) });
  };
  await Promise.all(Array.from({ length: STARTS_AT_ONCE }, starter));
  return performance.now() - from;
}

await runMain(main, `expected ${ROUND_FLAGS}`);
