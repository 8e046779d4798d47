/**
 * `node test/bench/workers.ts`: the effect of the setting `workers`. Gateways with different numbers of workers are
 * under load in turn, with all threads and the callers on all cores. Printed for each: requests per second, their
 * duration, and the CPU time of a request in the core (the thread of which there is one, and so the ceiling on a
 * machine with more cores) and the HTTP threads.
 *
 * --workers 1,2,3   numbers of workers
 * --rounds N        rounds (5), interleaved; medians are printed
 * --seconds N       seconds a round (3)
 */
import { parseArgs } from 'node:util';
import { tempDir } from '#test/temp-dir.ts';
import { startSluice } from './contestants.ts';
import type { Caller, RunningContestant, Workload } from './contract.ts';
import { load } from './load.ts';
import { requireMachine } from './machine.ts';
import { runMain } from './run-main.ts';
import { threadTimes } from './thread-time.ts';
import { benchCaller, GET_PARAM, POST_JSON } from './workloads.ts';

const WARM_UP_SECONDS = 4;

interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly coreUs: number;
  readonly httpUs: number;
}

interface Subject {
  readonly name: string;
  readonly workload: Workload;
  readonly running: RunningContestant;
  readonly rounds: Round[];
}

interface Options {
  readonly workers: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
}

async function main(): Promise<void> {
  const options = readOptions();
  requireMachine();
  const caller = benchCaller();
  await using folder = await tempDir('sluice-bench-');
  const running: RunningContestant[] = [];
  try {
    const subjects = await start(caller, options, running);
    const measure = (subject: Subject, seconds: number) => oneRound(subject, { caller, seconds, folder: folder.path });
    for (const subject of subjects) await measure(subject, WARM_UP_SECONDS);
    for (let round = 1; round <= options.rounds; round++) {
      for (const subject of subjects) {
        const result = await measure(subject, options.seconds);
        subject.rounds.push(result);
        process.stderr.write(`round ${round}  ${subject.name}: ${text(result)}\n`);
      }
    }
    for (const { name, rounds } of subjects)
      process.stdout.write(`${name.padEnd(36)} ${text(medianRound(rounds))}  ${spread(rounds)}\n`);
  } finally {
    await Promise.all(running.map((gateway) => gateway.stop()));
  }
}

/** One gateway for each number of workers, plain and over TLS; all run at once, and one at a time is under load. */
async function start(caller: Caller, { workers }: Options, running: RunningContestant[]): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const tls of [false, true]) {
    for (const count of workers) {
      const gateway = await startSluice(caller, [], tls, { workers: count });
      running.push(gateway);
      for (const workload of [GET_PARAM, POST_JSON]) {
        const name = `${workload.name}${tls ? ', TLS' : ''}, workers ${count}`;
        subjects.push({ name, workload, running: gateway, rounds: [] });
      }
    }
  }
  return subjects.toSorted((a, b) => a.name.localeCompare(b.name));
}

async function oneRound(
  { workload, running: { pid, port, ca } }: Subject,
  options: { caller: Caller; seconds: number; folder: string },
): Promise<Round> {
  const before = threadTimes(pid);
  const result = await load({ port, workload, pin: [], tls: ca !== undefined, ...options });
  const after = threadTimes(pid);
  return {
    perSecond: result.requests / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    coreUs: (after.core - before.core) / result.requests,
    httpUs: (after.of('http') - before.of('http')) / result.requests,
  };
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      workers: { type: 'string', default: '1,2,3' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
    },
  });
  const workers = values.workers.split(',').map(Number);
  const rounds = Number(values.rounds);
  const seconds = Number(values.seconds);
  for (const one of [...workers, rounds, seconds])
    if (!Number.isInteger(one) || one < 1) throw new Error('a number is missing or is not whole');
  return { workers, rounds, seconds };
}

function medianRound(rounds: readonly Round[]): Round {
  const median = (of: (round: Round) => number): number => {
    const sorted = rounds.map(of).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
  return {
    perSecond: median((round) => round.perSecond),
    p50Ms: median((round) => round.p50Ms),
    p99Ms: median((round) => round.p99Ms),
    coreUs: median((round) => round.coreUs),
    httpUs: median((round) => round.httpUs),
  };
}

function spread(rounds: readonly Round[]): string {
  const rates = rounds.map(({ perSecond }) => perSecond);
  return `${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}/s`;
}

function text({ perSecond, p50Ms, p99Ms, coreUs, httpUs }: Round): string {
  const us = `core ${coreUs.toFixed(0)} µs, HTTP threads ${httpUs.toFixed(0)} µs`;
  return `${perSecond.toFixed(0).padStart(6)}/s  p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms  ${us}`;
}

if (import.meta.main) await runMain(main, 'expected --workers 1,2,…, --rounds N or --seconds N');
