import { readFileSync } from 'node:fs';
import { familyOf } from './cpu-time.ts';

export const MIB = 1024 * 1024;

/**
 * The proportional set size of a process and its descendants, in bytes: shared pages are divided among the processes
 * that share them. Linux only (proc_pid_smaps(5)).
 */
export function familySetSize(pid: number): number {
  return familyOf(pid).reduce((sum, one) => sum + setSize(one), 0);
}

/** 0 for a process that has ended. */
export function setSize(pid: number): number {
  try {
    const kib = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1];
    return Number(kib ?? 0) * 1024;
  } catch {
    return 0;
  }
}
