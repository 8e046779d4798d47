/**
 * `node test/bench/latency.ts [--quick] [--rounds N] [--seconds N]`: measures the duration of calls at half of the
 * maximum rate of the gateway, with every control on. The gateway has one core, the callers the other; they call on a
 * schedule, and the time of a call begins when it is due, so that a stall counts for every call that waited in it.
 * Criterion: the median of the rounds' p99 is at most RATIO_MAX times the median of their p50. A second line has the
 * result of bare node:http at the same rate, which is due to the machine and the callers.
 */
import { spawnSync } from 'node:child_process';
import { requestBytes } from '#test/raw-request.ts';
import { type Child, startChild } from './child.ts';
import { contestants } from './contestants.ts';
import type { RunningContestant } from './contract.ts';
import { requireMachine } from './machine.ts';
import type { OpenOrder, OpenResult } from './open-caller.ts';
import { installPeers } from './peer-process.ts';
import { readRounds, ROUND_FLAGS, type Rounds } from './round-flags.ts';
import { runMain } from './run-main.ts';
import { median } from './table.ts';
import { benchCaller, GET_PARAM } from './workloads.ts';

const CONNECTIONS = 64;
const WARM_UP_SECONDS = 4;
const RATIO_MAX = 3;
const ANSWER_SECONDS_MAX = 60;
const SERVER_PIN = ['taskset', '-c', '0'];
const CALLER_CORE = '1';
const caller = benchCaller();

async function main(): Promise<void> {
  const rounds = readRounds({ rounds: 5, seconds: 6 }, { rounds: 1, seconds: 3 });
  requireMachine();
  await installPeers();
  spawnSync('taskset', ['-cp', CALLER_CORE, String(process.pid)]);
  const all = contestants(caller, SERVER_PIN);
  await using sluice = await start(all, 'Sluice');
  await using bare = await start(all, 'node:http (bare)');
  await measure(bare.callers, { seconds: WARM_UP_SECONDS, connections: CONNECTIONS });
  const rate = (await capacityOf(sluice.callers, rounds)) / 2;
  const times = { sluice: [] as OpenResult[], bare: [] as OpenResult[] };
  for (let round = 0; round < rounds.rounds; round++) {
    times.bare.push(await measure(bare.callers, { seconds: rounds.seconds, rate }));
    times.sluice.push(await measure(sluice.callers, { seconds: rounds.seconds, rate }));
  }
  tell('node:http (bare)', rate, times.bare);
  const ratio = tell('Sluice', rate, times.sluice);
  const refused = times.sluice.reduce((sum, { overloaded }) => sum + overloaded, 0);
  if (refused > 0) console.log(`${refused} calls were refused as \`overloaded\` at half of the maximum rate`);
  const met = ratio <= RATIO_MAX && refused === 0;
  console.log(
    `p99 at half of the maximum rate: ${ratio.toFixed(2)}× p50, at most ${RATIO_MAX}: ${met ? 'met' : 'NOT met'}`,
  );
  if (!met) process.exitCode = 1;
}

interface Subject extends AsyncDisposable {
  readonly running: RunningContestant;
  readonly callers: Child;
}

async function start(all: ReturnType<typeof contestants>, name: string): Promise<Subject> {
  const contestant = all.find((one) => one.name === name);
  if (contestant === undefined) throw new Error(`the bench has no contestant "${name}"`);
  const running = await contestant.start();
  const request = requestBytes({ method: GET_PARAM.method, path: GET_PARAM.path, headers: caller.headers });
  const callers = await startChild('open-caller.ts', [String(running.port), request.toString('base64')]);
  return {
    running,
    callers,
    async [Symbol.asyncDispose]() {
      await callers[Symbol.asyncDispose]();
      await running.stop();
    },
  };
}

/** Requests per second. */
async function capacityOf(callers: Child, { seconds }: Rounds): Promise<number> {
  await measure(callers, { seconds: WARM_UP_SECONDS, connections: CONNECTIONS });
  const { served, seconds: passed } = await measure(callers, { seconds, connections: CONNECTIONS });
  return served / passed;
}

async function measure(callers: Child, order: OpenOrder): Promise<OpenResult> {
  const result = (await callers.ask(order, (order.seconds + ANSWER_SECONDS_MAX) * 1000)) as OpenResult;
  if (Object.keys(result.others).length > 0)
    throw new Error(`not all calls were answered: ${JSON.stringify(result.others)}`);
  return result;
}

/** Prints the medians and returns p99 divided by p50. */
function tell(name: string, rate: number, results: readonly OpenResult[]): number {
  const [p50, p99, late] = [
    median(results.map(({ p50Ms }) => p50Ms)),
    median(results.map(({ p99Ms }) => p99Ms)),
    median(results.map(({ lateP99Ms }) => lateP99Ms)),
  ];
  const ratio = p99 / p50;
  console.log(
    `${name.padEnd(18)} ${rate.toFixed(0)}/s  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms (${ratio.toFixed(2)}×); sent p99 ${late.toFixed(2)} ms late`,
  );
  return ratio;
}

await runMain(main, `expected ${ROUND_FLAGS}`);
