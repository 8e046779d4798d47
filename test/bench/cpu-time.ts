import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const MICROSECONDS = 1_000_000;

/** Reads CPU time (user and system) of a process with all its threads, and of its children, in microseconds. */
export function createCpuClock(): (pid: number) => number {
  const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return (pid) => {
    const all = readStats();
    const family = descendants(pid, all);
    const ticks = all.filter((one) => family.has(one.pid)).reduce((sum, one) => sum + one.ticks, 0);
    return (ticks / ticksPerSecond) * MICROSECONDS;
  };
}

/** A process with all its descendants, in the order of their IDs. Linux only. */
export function familyOf(pid: number): number[] {
  return [...descendants(pid, readStats())].toSorted((a, b) => a - b);
}

interface Stat {
  pid: number;
  parent: number;
  ticks: number;
}

function readStats(): Stat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readStat);
}

/** Fields of proc_pid_stat(5): 4 parent, 14 utime, 15 stime; the name in field 2 may contain blanks. */
function readStat(pid: string): Stat[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return [{ pid: Number(pid), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
  } catch {
    return []; // It has ended meanwhile.
  }
}

function descendants(pid: number, all: readonly Stat[]): Set<number> {
  const family = new Set([pid]);
  for (let before = 0; before !== family.size;) {
    before = family.size;
    for (const one of all) if (family.has(one.parent)) family.add(one.pid);
  }
  return family;
}
