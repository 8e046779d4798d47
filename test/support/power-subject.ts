import { writeSync } from 'node:fs';

/** A part of the product that stores files, for the tests of power cuts and failing disks (test/faults). */
export interface PowerSubject {
  /** Works in the folder; `done` marks an operation as done: from then on it must survive a power cut. */
  workload(folder: string, done: (mark: unknown) => void): Promise<void>;
  /** Opens the folder; throws if a completed operation is missing, or the part cannot continue. */
  check(folder: string, marks: readonly unknown[]): Promise<void>;
}

/** For the end of a subject's file: started as a program with a folder, it does its work there. */
export async function runWorkload(workload: PowerSubject['workload'] | undefined): Promise<void> {
  const [, , folder = ''] = process.argv;
  if (workload === undefined) throw new Error('there is no such workload');
  await workload(folder, sayDone);
}

/** Synchronous, so that its position among the system calls is correct. */
export function sayDone(mark: unknown): void {
  writeSync(1, `DONE ${JSON.stringify(mark)}\n`);
}
