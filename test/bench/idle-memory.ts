import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startService, type ServiceOptions } from '#test/service.ts';
import { familyOf } from './cpu-time.ts';
import { familySetSize, setSize } from './set-size.ts';

/**
 * The memory of an idle service, and the time from its start to its first response. A new data folder each time, the
 * vault's secret in a file; cold start = from the start of the process to a response on both ports, median of
 * `--starts`; memory = proportional set sizes of the host, the gateway and their children, `--idle` seconds after the
 * set-up. Linux only. In a checkout, pages of Node's program count less while other programs share them, which is
 * reported. Run: `node test/bench/idle-memory.ts [program] [--starts 5] [--idle 60]`; `program` is a package's
 * `sluice`; default: the sources.
 */
const GOAL_MB = 150;
const GOAL_MS = 2_000;
const STARTS_MAX = 100;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { starts: { type: 'string', default: '5' }, idle: { type: 'string', default: '60' } },
});
const [program] = positionals;
const options: ServiceOptions = program === undefined ? {} : { program: [resolve(program)] };
const starts = Math.min(STARTS_MAX, Number(values.starts));

const times: number[] = [];
for (let start = 0; start < starts; start++) times.push(await coldStartMs());
const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
console.log(`cold start, ms: ${times.map(Math.round).join(', ')}; median ${Math.round(median)} (goal ${GOAL_MS})`);
await measureMemory(Number(values.idle) * 1000);
console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`);

async function coldStartMs(): Promise<number> {
  const begun = performance.now();
  await using service = await startService([], options);
  for (const url of [service.ready.ui, service.ready.gateway]) await (await fetch(url)).arrayBuffer();
  return performance.now() - begun;
}

async function measureMemory(idleMs: number): Promise<void> {
  await using service = await startService([], options);
  await service.setUp();
  await sleep(idleMs);
  const family = familyOf(service.pid);
  for (const pid of family)
    console.log(`${nameOf(pid)}: ${mb(setSize(pid))}, ${readdirSync(`/proc/${pid}/task`).length} threads`);
  console.log(`sum: ${mb(familySetSize(service.pid))} (goal ${GOAL_MB} MB)`);
  const others = sharers(service.pid) - family.length;
  if (others > 0) console.log(`Not to be trusted: ${others} other processes share the pages of the same program.`);
}

/** The script or program that it runs. */
function nameOf(pid: number): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return words.slice(1).find((word) => !word.startsWith('-')) ?? words[0] ?? '';
}

/** Processes that run the same program file. */
function sharers(pid: number): number {
  const program = programOf(pid);
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && programOf(Number(name)) === program).length;
}

/** Its first mapping; null if it belongs to another user or the kernel, or has ended. */
function programOf(pid: number): string | null {
  try {
    return (
      readFileSync(`/proc/${pid}/maps`, 'utf8')
        .split('\n')[0]
        ?.replace(/^\S+ \S+ \S+ /, '') ?? null
    );
  } catch {
    return null;
  }
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
