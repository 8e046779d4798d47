import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';

const PACKAGES: Record<string, string> = {
  wrk: 'wrk',
  taskset: 'util-linux',
  getconf: 'libc-bin',
  'redis-server': 'redis-server',
};

/**
 * Ensures that wrk, taskset and Redis exist: installs Debian's packages as root on Debian, otherwise prints what to
 * install.
 */
export function requireMachine(): void {
  if (process.platform !== 'linux') throw new Error('The bench reads /proc and pins processes: it runs on Linux only.');
  if (availableParallelism() < 2) throw new Error('The bench needs two cores: one for the servers, one for the load.');
  const missing = Object.keys(PACKAGES).filter((program) => !onPath(program));
  if (missing.length === 0) return;
  const packages = missing.map((program) => PACKAGES[program] ?? program);
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    throw new Error(`The bench needs ${missing.join(' and ')}. Install the package ${packages.join(' ')} first.`);
  }
  execFileSync('apt-get', ['update', '-q'], { stdio: ['ignore', 2, 2] });
  execFileSync('apt-get', ['install', '-qy', '--no-install-recommends', ...packages], { stdio: ['ignore', 2, 2] });
}

function onPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
