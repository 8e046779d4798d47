import { writeSync } from 'node:fs';

/** A part of the product that keeps files, as the tests of power loss and of failing disks see it (test/faults). */
export interface PowerSubject {
  /** Works in the folder; `done` says that something is done: from then on it must outlive a power cut. */
  workload(folder: string, done: (mark: unknown) => void): Promise<void>;
  /** Opens the folder; throws if something that was done is missing, or the part cannot continue. */
  check(folder: string, marks: readonly unknown[]): Promise<void>;
}

/** For the end of a subject's file: started as a program with a folder, it does its work there. */
export async function runWorkload(workload: PowerSubject['workload'] | undefined): Promise<void> {
  const [, , folder = ''] = process.argv;
  if (workload === undefined) throw new Error('there is no such workload');
  await workload(folder, sayDone);
}

/** At once and whole, so that its place among the system calls is its place in time. */
export function sayDone(mark: unknown): void {
  writeSync(1, `DONE ${JSON.stringify(mark)}\n`);
}
