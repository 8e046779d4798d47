/**
 * Accepted events per second, each on disk by fsync before it is acknowledged: Sluice's outbox compared with BullMQ on
 * Redis (`appendfsync always`) and a table in PostgreSQL, on the same disk in one run. Rounds are interleaved, so that
 * changes of the machine's load affect every contestant; medians are printed. Bodies of 1 KB; nothing is sent. Each
 * round begins empty, and at its end the stored events are counted: every accepted event must be there. Run: `node
 * test/bench/egress.ts [--quick] [--rounds N] [--seconds N]`; takes about two minutes, removes its files.
 *
 * The column of flushes shows that all three give the same guarantee: flushes of the disk per event, by any program on
 * this machine. A single event needs 1 or more; concurrent events share one.
 */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { tempDir } from '#test/temp-dir.ts';
import type { Acceptor, AcceptorKind } from './acceptor.ts';
import { startBullmq } from './bullmq-acceptor.ts';
import { createFlushCounter } from './disk-flushes.ts';
import { requireMachine } from './machine.ts';
import { startOutbox } from './outbox-acceptor.ts';
import { installPeers } from './peer-process.ts';
import { startPostgresTable } from './postgres-acceptor.ts';
import { readRounds, ROUND_FLAGS, type Rounds } from './round-flags.ts';
import { runMain } from './run-main.ts';
import { median } from './table.ts';

const LANES = [1, 16, 64] as const;
const BODY_BYTES = 1024;
const WARM_UP_SECONDS = 0.5;

const KINDS: readonly AcceptorKind[] = [
  { name: 'Sluice outbox', start: startOutbox },
  { name: 'BullMQ, Redis', start: startBullmq },
  { name: 'PostgreSQL', start: (_folder, lanes) => startPostgresTable(lanes) },
];
/** The baseline of the comparison. */
const YARDSTICK = 'BullMQ, Redis';

interface Round {
  readonly name: string;
  readonly lanes: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly flushesPerEvent: number;
}

async function main(): Promise<void> {
  const rounds = readRounds({ rounds: 5, seconds: 2 }, { rounds: 1, seconds: 1 });
  requireMachine();
  await installPeers();
  await using folder = await tempDir('sluice-egress-bench-');
  const acceptors: Acceptor[] = [];
  try {
    for (const [index, { start }] of KINDS.entries()) {
      const own = join(folder.path, String(index));
      await mkdir(own);
      acceptors.push(await start(own, Math.max(...LANES)));
    }
    const measured = await measure(acceptors, folder.path, rounds);
    for (const lanes of LANES)
      printBlock(
        lanes,
        measured.filter((round) => round.lanes === lanes),
      );
    const load = `load of the machine ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`;
    console.log(
      `Medians of ${rounds.rounds} interleaved rounds of ${rounds.seconds} s; Node ${process.version}; ${load}.`,
    );
  } finally {
    await Promise.allSettled(acceptors.map((acceptor) => acceptor.stop()));
  }
}

async function measure(acceptors: readonly Acceptor[], folder: string, { rounds, seconds }: Rounds): Promise<Round[]> {
  const measured: Round[] = [];
  const flushes = createFlushCounter(folder);
  for (const acceptor of acceptors) await acceptFor(acceptor, Math.max(...LANES), WARM_UP_SECONDS);
  for (let round = 1; round <= rounds; round++) {
    for (const lanes of LANES) {
      for (const acceptor of acceptors) {
        await acceptor.clear();
        const before = flushes();
        const { times, ms } = await acceptFor(acceptor, lanes, seconds);
        const flushed = (flushes() ?? Number.NaN) - (before ?? Number.NaN);
        await requireHeld(acceptor, times.length);
        measured.push(summary(acceptor.name, lanes, times, ms, flushed));
        process.stderr.write(
          `round ${round}/${rounds}  ${lanes} at a time  ${acceptor.name}: ${Math.round((times.length / ms) * 1000)}/s\n`,
        );
      }
    }
  }
  return measured;
}

/** `lanes` callers, each sending its next event when the previous one was accepted. */
async function acceptFor(acceptor: Acceptor, lanes: number, seconds: number): Promise<{ times: number[]; ms: number }> {
  const body = randomBytes(BODY_BYTES / 2).toString('hex');
  const times: number[] = [];
  const started = performance.now();
  const until = started + seconds * 1000;
  const lane = async () => {
    for (let from = performance.now(); from < until;) {
      await acceptor.accept(body);
      const now = performance.now();
      times.push(now - from);
      from = now;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { times, ms: performance.now() - started };
}

async function requireHeld(acceptor: Acceptor, accepted: number): Promise<void> {
  const held = await acceptor.held();
  if (held !== accepted) throw new Error(`${acceptor.name} accepted ${accepted} events and holds ${held}`);
}

function summary(name: string, lanes: number, times: number[], ms: number, flushed: number): Round {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  const perSecond = (times.length / ms) * 1000;
  return { name, lanes, perSecond, p50Ms: at(0.5), p99Ms: at(0.99), flushesPerEvent: flushed / times.length };
}

function printBlock(lanes: number, measured: readonly Round[]): void {
  const of = (name: string, pick: (round: Round) => number) =>
    median(measured.filter((round) => round.name === name).map(pick));
  const yardstick = of(YARDSTICK, (round) => round.perSecond);
  const head = [`${lanes} at a time`, 'events/s', 'of BullMQ', 'p50 ms', 'p99 ms', 'flushes/event'];
  const lines = KINDS.map(({ name }) => [
    name,
    of(name, (round) => round.perSecond).toFixed(0),
    (of(name, (round) => round.perSecond) / yardstick).toFixed(2),
    of(name, (round) => round.p50Ms).toFixed(2),
    of(name, (round) => round.p99Ms).toFixed(2),
    of(name, (round) => round.flushesPerEvent).toFixed(2),
  ]);
  const print = (cells: string[]) => cells.map((cell, at) => (at === 0 ? cell.padEnd(16) : cell.padStart(14))).join('');
  console.log(`${[head, ...lines].map(print).join('\n')}\n`);
}

await runMain(main, `expected ${ROUND_FLAGS}`);
