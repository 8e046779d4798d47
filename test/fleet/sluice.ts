import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SERVICE_ENTRY } from '#test/paths.ts';

export interface Ended {
  code: number;
  out: string;
  error: string;
}

/** Runs one command of `sluice` to its end. */
export async function sluice(...args: readonly string[]): Promise<Ended> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [SERVICE_ENTRY, ...args]);
    return { code: 0, out: stdout.trim(), error: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout.trim(), error: stderr };
  }
}

/** The output of a command that succeeds. */
export async function sluiceOk(...args: readonly string[]): Promise<string> {
  const { code, out, error } = await sluice(...args);
  if (code !== 0) throw new Error(`sluice ${args[0]} ${args[1]} ended with ${code}: ${error}`);
  return out;
}
