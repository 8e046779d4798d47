import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '#test/paths.ts';
import { tempDir } from '#test/temp-dir.ts';
import { underStrace } from '../power/record.ts';

/** Calls that change a file, or flush or open one: each of them may fail. */
export const FAILING_CALLS = ['pwrite64', 'write', 'fsync', 'fdatasync', 'ftruncate', 'openat', 'unlink'] as const;

export interface Fault {
  readonly call: string;
  readonly error: 'ENOSPC' | 'EIO';
  /** The first call that fails, counted from 1, and how many do. */
  readonly first: number;
  readonly count: number;
}

/** The failing files, and the output and calls of a run. */
export interface FaultyRun {
  readonly said: readonly unknown[];
  readonly calls: ReadonlyMap<string, number>;
  readonly injected: number;
}

/** Runs a program on a folder in which the named files fail as specified; null: none fail. */
export async function runWithFault(
  program: string,
  args: readonly string[],
  files: readonly string[],
  fault: Fault | null,
): Promise<FaultyRun> {
  await using dir = await tempDir('sluice-inject-');
  const log = join(dir.path, 'log');
  const only = files.flatMap((file) => ['-P', file]);
  const options = [
    '--seccomp-bpf',
    '-o',
    log,
    ...only,
    '-e',
    `trace=${FAILING_CALLS.map((call) => `?${call}`).join(',')}`,
  ];
  if (fault !== null) {
    const last = fault.first + fault.count - 1;
    options.push('-e', `inject=${fault.call}:error=${fault.error}:when=${fault.first}..${last}`);
  }
  const output = await underStrace(options, [join(ROOT, program), ...args]);
  const lines = (await readFile(log, 'latin1')).split('\n');
  const calls = new Map<string, number>();
  for (const line of lines) {
    const name = /^\d+ +(\w+)\(/.exec(line)?.[1];
    if (name !== undefined) calls.set(name, (calls.get(name) ?? 0) + 1);
  }
  const said = output
    .split('\n')
    .flatMap((line) => (line.startsWith('DONE ') ? [JSON.parse(line.slice(5)) as unknown] : []));
  return { said, calls, injected: lines.filter((line) => line.includes('(INJECTED)')).length };
}
