import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ROOT } from '#test/paths.ts';

const SCRIPT = fileURLToPath(new URL('under-call-filter.py', import.meta.url));
const UNIT = `${ROOT}build/package/linux/sluice.service`;

type Program = readonly [string, ...string[]];

/** `program` with the system calls that the unit allows, as restricted by under-call-filter.py. */
export function underCallFilter(program: Program): Program {
  return ['python3', SCRIPT, UNIT, ...program];
}

/** Python, libseccomp and systemd's list of calls create the filter. */
export function hasCallFilter(): boolean {
  try {
    execFileSync('python3', [SCRIPT, UNIT, '/bin/true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
