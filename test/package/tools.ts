import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** `tools`: Debian's package → a file of it. As root on Debian they are installed, elsewhere they must exist. */
export function installTools(tools: Readonly<Record<string, string>>): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Error('Run this as root, on Linux.');
  const missing = Object.entries(tools).flatMap(([name, file]) => (existsSync(file) ? [] : [name]));
  if (missing.length === 0) return;
  if (!existsSync('/etc/debian_version')) throw new Error(`Install ${missing.join(', ')} first.`);
  const install = ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '-q', '--no-install-recommends', ...missing];
  execFileSync('apt-get', install, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
