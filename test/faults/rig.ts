/**
 * `node test/faults/rig.ts`: 100,000 events to targets that misbehave, while the gateway is killed 100 times; then the
 * judgement: none lost, order kept, every duplicate explained. The last line is the verdict, `N passed, N failed`, of
 * accepted events; exit code 0 only when none failed and the run was what it should be.
 *
 * --short          what CI runs: 5,000 events and 12 kills
 * --events N       accepted events
 * --kills N        kills with kill -9
 * --seed N         the faults, kills and events of an earlier run; printed by each
 * --evidence FILE  what the judge was given, as JSON
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { evidenceText } from './evidence.ts';
import { figuresOf, printFigures } from './figures.ts';
import { type RunOptions, runFaults } from './run.ts';

const FULL = { events: 100_000, kills: 100, keysPerTarget: 64, timeoutMs: 500 };
const SHORT = { events: 5000, kills: 12, keysPerTarget: 24, timeoutMs: 500 };
/** For FULL's events; more events have more time. */
const FULL_LIMITS = { loadMsMax: 40 * 60_000, drainMsMax: 5 * 60_000 };
/** A limit against hanging: a machine with free CPU time needs less than half of it. */
const SHORT_LIMITS = { loadMsMax: 150_000, drainMsMax: 60_000 };
const FAILURES_PRINTED_MAX = 40;
/** Per type, so that many of one do not hide the others. */
const FAILURES_PER_KIND_MAX = 8;
const USAGE = 'expected --short, --events N, --kills N, --seed N or --evidence FILE';

export const shortRun = (seed: number): RunOptions => ({ ...SHORT, ...SHORT_LIMITS, seed });

function readOptions(): RunOptions & { evidence: string | null } {
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean', default: false },
      events: { type: 'string' },
      kills: { type: 'string' },
      seed: { type: 'string' },
      evidence: { type: 'string' },
    },
  });
  const given = values.short ? { ...SHORT, ...SHORT_LIMITS } : { ...FULL, ...FULL_LIMITS };
  const events = whole(values.events, given.events);
  return {
    ...given,
    events,
    loadMsMax: given.loadMsMax * Math.max(1, events / given.events),
    kills: whole(values.kills, given.kills),
    seed: whole(values.seed, Math.floor(Math.random() * 1e6)),
    evidence: values.evidence ?? null,
  };
}

function whole(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new Error(USAGE);
  return Number(text);
}

async function main(): Promise<void> {
  const options = readOptions();
  const say = (text: string) => process.stdout.write(`${text}\n`);
  say(`seed ${options.seed}: ${options.events} events, ${options.kills} kills`);
  const result = await runFaults({ ...options, progress: say });
  const figures = figuresOf(result.evidence, options);
  say(`\n${printFigures(figures, result)}`);
  if (options.evidence !== null) await writeFile(options.evidence, evidenceText(result.evidence));
  for (const failure of someOf(figures.failed)) say(failure);
  say(`${figures.accepted} passed, ${figures.failed.length} failed`);
  process.exitCode = figures.failed.length === 0 ? 0 : 1;
}

function someOf(failed: readonly string[]): string[] {
  const kinds = Map.groupBy(failed, (text) => text.split(':', 1)[0]);
  return [...kinds.values()].flatMap((list) => list.slice(0, FAILURES_PER_KIND_MAX)).slice(0, FAILURES_PRINTED_MAX);
}

if (import.meta.main) await main();
