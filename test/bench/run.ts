/**
 * `npm run bench`: Sluice beside its peers in one run. The servers share one core, the load has the other; rounds are
 * interleaved, so that changes of the machine's load affect every contestant; medians are printed. Contestants that are
 * not measured are stopped meanwhile.
 *
 * --quick          one round of 2 s instead of five of 5 s: to see that it runs, not to quote
 * --rounds N       rounds (5)
 * --seconds N      seconds a round (5)
 * --only a,b       contestants whose name contains one of the words; the bare yardstick always runs
 * --against DIR    the Sluice of this checkout, and of another whose packages are installed: the cost of a change
 *
 * Every contestant must give the same checked answer before it is measured, and every answer under load must be 2xx.
 *
 * Store and forward has two separate benchmarks: `node test/bench/egress.ts` (accepted events a second with fsync,
 * beside BullMQ on Redis and PostgreSQL) and `node test/bench/drain.ts` (the effect of a draining backlog on callers).
 * The admin UI has `node test/bench/ui.ts` (loading, scrolling long lists, moving a large pipeline). `node
 * test/bench/soak.ts` keeps the whole service under load for half an hour and looks at its memory.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { tempDir } from '#test/temp-dir.ts';
import { checkAnswer } from './check-answer.ts';
import { contestants } from './contestants.ts';
import type { Contestant, RunningContestant } from './contract.ts';
import { createCpuClock } from './cpu-time.ts';
import { load } from './load.ts';
import { requireMachine } from './machine.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { installPeers } from './peer-process.ts';
import { runMain } from './run-main.ts';
import { type Measured, medians, printTable } from './table.ts';
import { benchCaller } from './workloads.ts';

const SERVER_PIN = ['taskset', '-c', '0'];
const LOAD_PIN = ['taskset', '-c', '1'];
const WARM_UP_SECONDS = 2;

const USAGE = `expected --quick, --rounds N, --seconds N, --only name,… or --against DIR
For store-and-forward: node test/bench/egress.ts, node test/bench/drain.ts`;

async function main(): Promise<void> {
  const options = readOptions();
  requireMachine();
  await installPeers();
  const caller = benchCaller();
  const all = contestants(caller, SERVER_PIN);
  const bare = all[0]?.name ?? '';
  const chosen =
    options.against === null
      ? all.filter(({ name }) => name === bare || options.only.some((word) => name.toLowerCase().includes(word)))
      : [...all.filter(({ name }) => name === bare || name === 'Sluice'), ...(await otherSluice(options.against))];
  await using folder = await tempDir('sluice-bench-');
  const running = new Map<Contestant, RunningContestant>();
  try {
    for (const contestant of chosen) running.set(contestant, await contestant.start());
    const measured = await measure(running, caller, folder.path, options);
    process.stdout.write(`\n${printTable(medians(measured), bare)}`);
    process.stdout.write(
      `\nMedians of ${options.rounds} interleaved rounds of ${options.seconds} s; 64 connections; Node ${process.version}.\n`,
    );
  } finally {
    await Promise.all([...running.values()].map((one) => one.stop()));
  }
}

interface Options {
  rounds: number;
  seconds: number;
  only: string[];
  against: string | null;
}

/** Its keys are valid only there. */
async function otherSluice(folder: string): Promise<Contestant[]> {
  const from = (file: string) => import(pathToFileURL(resolve(folder, 'test/bench', file)).href) as Promise<unknown>;
  const list = (await from('contestants.ts')) as { contestants: typeof contestants };
  const { benchCaller: callerThere } = (await from('workloads.ts')) as { benchCaller: typeof benchCaller };
  const caller = callerThere();
  return list
    .contestants(caller, SERVER_PIN)
    .filter(({ name }) => name === 'Sluice')
    .map((sluice) => ({ ...sluice, caller, name: `Sluice of ${folder}` }));
}

async function measure(
  running: ReadonlyMap<Contestant, RunningContestant>,
  caller: ReturnType<typeof benchCaller>,
  folder: string,
  options: Options,
): Promise<Measured[]> {
  const cpuClock = createCpuClock();
  using turns = new OneAtATime([...running.values()].map(({ pid }) => pid));
  const measured: Measured[] = [];
  const pairs = [...running].flatMap(
    ([{ name, workloads, connectionPerRequest = false, caller: own }, { port, pid, ca }]) =>
      workloads.map((workload) => ({ name, workload, pid, port, ca, connectionPerRequest, caller: own ?? caller })),
  );
  pairs.sort((a, b) => a.workload.name.localeCompare(b.workload.name));
  const loadOf = ({ workload, port, ca, connectionPerRequest, caller }: (typeof pairs)[number], seconds: number) =>
    load({ port, workload, caller, seconds, folder, pin: LOAD_PIN, tls: ca !== undefined, connectionPerRequest });
  for (const pair of pairs) {
    const { name, workload, port, ca } = pair;
    await checkAnswer(name, { port, ...(ca !== undefined && { ca }) }, workload, pair.caller);
    await loadOf(pair, WARM_UP_SECONDS);
  }
  for (let round = 1; round <= options.rounds; round++) {
    for (const pair of pairs) {
      const { name, workload, pid, port, ca } = pair;
      turns.turnOf(pid);
      // Idle, after all waiting work is done.
      await checkAnswer(name, { port, ...(ca !== undefined && { ca }) }, workload, pair.caller);
      const before = cpuClock(pid);
      const result = await loadOf(pair, options.seconds);
      measured.push({ ...result, contestant: name, workload: workload.name, cpuUs: cpuClock(pid) - before });
      const perSecond = (result.requests / result.seconds).toFixed(0);
      process.stderr.write(`round ${round}/${options.rounds}  ${workload.name}  ${name}: ${perSecond}/s\n`);
    }
  }
  return measured;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      only: { type: 'string', default: '' },
      against: { type: 'string' },
    },
  });
  const only = values.only.split(',').map((word) => word.trim().toLowerCase());
  return {
    rounds: whole('--rounds', values.rounds, values.quick ? 1 : 5),
    seconds: whole('--seconds', values.seconds, values.quick ? 2 : 5),
    only,
    against: values.against ?? null,
  };
}

function whole(flag: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`${flag} is "${text}"; expected a whole number from 1 to 9999`);
  return Number(text);
}

if (import.meta.main) await runMain(main, USAGE);
