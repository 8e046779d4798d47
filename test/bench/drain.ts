/**
 * The effect of a draining backlog on the gateway's callers: p50 and p99 of a plain route (key, journal) under a steady
 * rate well below what the gateway can do, with the target paused and while 100,000 stored events of 1 KB are sent to a
 * target process. Rounds are interleaved (quiet, draining, quiet, …) and the medians of the rounds' ratios are printed:
 * first at the product's own drain rate, for which at most RATIO_MAX is allowed, then without a limit. Run: `node
 * test/bench/drain.ts [--quick] [--rounds N] [--seconds N]`; at most about four minutes, loopback only, removes its
 * files. Gateway, target and callers share the machine's cores, so the ratio includes the effect of target and callers
 * on each other: on a machine with two cores it is an upper bound.
 */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EgressTargetAct } from '#common/control/messages.ts';
import { settingsSchema } from '#common/model/settings.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { tempDir } from '#test/temp-dir.ts';
import { type Child, startChild } from './child.ts';
import type { TargetReport } from './drain-target.ts';
import { storeBacklog } from './drain-backlog.ts';
import { readRounds, ROUND_FLAGS, type Rounds } from './round-flags.ts';
import { runMain } from './run-main.ts';
import type { SteadyResult } from './steady-caller.ts';
import { median } from './table.ts';

const EVENTS = 100_000;
const CALLS_PER_SECOND = 1_000;
const RATIO_MAX = 1.5;
const WARM_UP_SECONDS = 3;
/** Calls in progress when a target is paused or resumed. */
const SETTLE_MS = 300;
const UNLIMITED = 100_000;
const UNLIMITED_MS_MAX = 60_000;
/** For the whole run, including storing: no round begins after it. */
const TOTAL_MS_MAX = 210_000;
/** Below this share of the expected rate, the draining was not measured. */
const DRAINED_SHARE_MIN = 0.5;
const DEFAULT_RATE = settingsSchema.parse({}).egressDrainRate;

interface Pair {
  readonly quiet: SteadyResult;
  readonly draining: SteadyResult;
  readonly drained: number;
  readonly drainMs: number;
}

async function main(): Promise<void> {
  const rounds = readRounds({ rounds: 6, seconds: 4 }, { rounds: 2, seconds: 2 });
  await using dataDir = await tempDir('sluice-drain-bench-');
  await using target = await startChild('drain-target.ts', []);
  const { port } = target.hello as { port: number };
  const filling = performance.now();
  await storeBacklog(dataDir.path, `http://127.0.0.1:${port}`, EVENTS);
  console.log(`${EVENTS} events stored in ${((performance.now() - filling) / 1000).toFixed(1)} s`);
  const key = makeKey();
  await using gateway = await startGateway({
    dataDir: dataDir.path,
    keys: [key],
    settings: { allowedInternalTargets: [`127.0.0.1:${port}`], diskReserveBytes: 0 },
    pipelines: [routePipeline({ method: 'GET', path: '/plain', ...fixedReply({ ok: true }) })],
  });
  const { buffer } = await gateway.call('egress-state', {});
  if (buffer.events !== EVENTS) throw new Error(`${buffer.events} events are stored; expected ${EVENTS}`);
  await using caller = await startChild('steady-caller.ts', [
    String(gateway.port),
    '/plain',
    key.value,
    String(CALLS_PER_SECOND),
  ]);
  const bench = new DrainBench(gateway, target, caller);
  await bench.call(WARM_UP_SECONDS);
  const limited = await bench.rounds(rounds);
  await gateway.changeSettings({
    allowedInternalTargets: [`127.0.0.1:${port}`],
    diskReserveBytes: 0,
    egressDrainRate: UNLIMITED,
  });
  const unlimited = await bench.untilEmpty(rounds);
  print(`at ${DEFAULT_RATE} events/s, the default`, limited);
  if (unlimited.length > 0) print('as fast as it goes', unlimited);
  await bench.printArrived();
  console.log(verdict(limited));
  console.log(
    `${CALLS_PER_SECOND} calls/s; Node ${process.version}; load of the machine ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores.`,
  );
}

class DrainBench {
  readonly #gateway: TestGateway;
  readonly #target: Child;
  readonly #caller: Child;

  constructor(gateway: TestGateway, target: Child, caller: Child) {
    this.#gateway = gateway;
    this.#target = target;
    this.#caller = caller;
  }

  async call(seconds: number): Promise<SteadyResult> {
    const result = (await this.#caller.ask({ seconds }, (seconds + 30) * 1000)) as SteadyResult;
    if (result.failed > 0) throw new Error(`${result.failed} calls of the plain route failed: ${result.failure}`);
    return result;
  }

  async rounds({ rounds, seconds }: Rounds): Promise<Pair[]> {
    const pairs: Pair[] = [];
    for (let round = 1; round <= rounds; round++) {
      pairs.push(await this.#pair(seconds));
    }
    return pairs;
  }

  /** Rounds while there are enough events for a whole one. */
  async untilEmpty({ seconds }: Rounds): Promise<Pair[]> {
    const pairs: Pair[] = [];
    // The clock starts with this process.
    const endAt = Math.min(performance.now() + UNLIMITED_MS_MAX, TOTAL_MS_MAX);
    while (performance.now() < endAt) {
      const pair = await this.#pair(seconds);
      const { buffer } = await this.#gateway.call('egress-state', {});
      if (buffer.events > 0) pairs.push(pair);
      else break;
    }
    await this.#act('resume');
    return pairs;
  }

  async printArrived(): Promise<void> {
    const { received, distinct } = await this.#report();
    const { buffer, targets } = await this.#gateway.call('egress-state', {});
    const dead = targets.reduce((sum, target) => sum + target.dead, 0);
    console.log(
      `${distinct} events arrived, ${received - distinct} of them twice; ${buffer.events} still wait, ${dead} are dead`,
    );
  }

  async #pair(seconds: number): Promise<Pair> {
    await this.#act('pause');
    const quiet = await this.call(seconds);
    await this.#act('resume');
    const before = await this.#report();
    const from = performance.now();
    const draining = await this.call(seconds);
    const drainMs = performance.now() - from;
    const drained = (await this.#report()).received - before.received;
    process.stderr.write(
      `p99 ${quiet.p99Ms.toFixed(2)} ms quiet, ${draining.p99Ms.toFixed(2)} ms while ${drained} drained\n`,
    );
    return { quiet, draining, drained, drainMs };
  }

  async #act(act: EgressTargetAct): Promise<void> {
    const { targets } = await this.#gateway.call('egress-state', {});
    const [target] = targets;
    // It is drained completely and not called by a running pipeline, so it is removed.
    if (target === undefined) return;
    const wanted = act === 'pause' ? 'paused' : 'open';
    if (target.state !== wanted) await this.#gateway.call('egress-target-act', { target: target.id, act, by: 'bench' });
    await sleep(SETTLE_MS);
  }

  async #report(): Promise<TargetReport> {
    return (await this.#target.ask('report', 10_000)) as TargetReport;
  }
}

function ratioOf(pairs: readonly Pair[], pick: (result: SteadyResult) => number): number {
  return median(pairs.map(({ quiet, draining }) => pick(draining) / pick(quiet)));
}

function drainedPerSecond(pairs: readonly Pair[]): number {
  return median(pairs.map(({ drained, drainMs }) => (drained / drainMs) * 1000));
}

function verdict(pairs: readonly Pair[]): string {
  const drained = drainedPerSecond(pairs);
  if (drained < DEFAULT_RATE * DRAINED_SHARE_MIN)
    return `No verdict: only ${drained.toFixed(0)} events/s drained where ${DEFAULT_RATE} may; the machine is too busy.`;
  const ratio = ratioOf(pairs, ({ p99Ms }) => p99Ms);
  const met = ratio <= RATIO_MAX ? 'met' : 'NOT met';
  return `p99 while draining is ${ratio.toFixed(2)}× of p99 without; demanded at most ${RATIO_MAX}×: ${met}`;
}

function print(title: string, pairs: readonly Pair[]): void {
  console.log(`\n${title}: ${pairs.length} rounds, ${drainedPerSecond(pairs).toFixed(0)} events/s drained (median)`);
  for (const [name, pick] of [
    ['p50', (result: SteadyResult) => result.p50Ms],
    ['p99', (result: SteadyResult) => result.p99Ms],
  ] as const) {
    const quiet = median(pairs.map((pair) => pick(pair.quiet)));
    const draining = median(pairs.map((pair) => pick(pair.draining)));
    console.log(
      `  ${name}  ${quiet.toFixed(2)} ms quiet  ${draining.toFixed(2)} ms draining  ratio ${ratioOf(pairs, pick).toFixed(2)}`,
    );
  }
}

await runMain(main, `expected ${ROUND_FLAGS}`);
