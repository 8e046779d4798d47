import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { browserProgram, isPreferred } from '#test/browser-program.ts';

/**
 * What the tests need of the machine besides npm's packages. As root on Debian it is fetched from Debian's packages;
 * elsewhere this says exactly what to install. With everything at hand it takes a moment and prints nothing.
 */
interface Need {
  /** Debian's package. */
  package: string;
  for: string;
  present(): boolean;
  /** Whether something else does as well, where the package cannot be had. */
  replaced?(): boolean;
}

const BROWSER = 'chromium-headless-shell';

const NEEDS: readonly Need[] = [
  {
    package: BROWSER,
    for: 'tests of the UI in a real browser',
    present: () => isPreferred(browserProgram()) && existsSync(browserProgram()),
    replaced: () => process.platform !== 'linux' || existsSync(browserProgram()),
  },
  {
    package: 'gnome-keyring',
    for: 'tests against a real Secret Service',
    present: () => onPath('gnome-keyring-daemon'),
  },
  { package: 'libsecret-1-0', for: 'the keychain', present: () => library('libsecret-1.so.0') },
  { package: 'dbus', for: 'tests against a real Secret Service', present: () => onPath('dbus-run-session') },
  { package: 'wrk', for: 'the benchmark', present: () => onPath('wrk') },
  {
    package: 'postgresql',
    for: 'tests against a real PostgreSQL',
    present: () => inFolders('/usr/lib/postgresql', 'bin/postgres'),
  },
  { package: 'mariadb-server', for: 'tests against a real MariaDB', present: () => existsSync('/usr/sbin/mariadbd') },
  { package: 'mosquitto', for: 'tests against a real MQTT broker', present: () => existsSync('/usr/sbin/mosquitto') },
  {
    package: 'libfaketime',
    for: 'tests of a clock that is set',
    present: () => library('faketime/libfaketime.so.1'),
  },
  { package: 'strace', for: 'tests of power loss and failing disks', present: () => onPath('strace') },
  { package: 'systemd', for: 'tests of the unit and of systemd’s watchdog', present: () => onPath('systemd-notify') },
  { package: 'openssl', for: 'certificates of test peers', present: () => onPath('openssl') },
  { package: 'python3', for: 'tests of the receivers in the guide', present: () => onPath('python3') },
  { package: 'default-jdk-headless', for: 'tests of the receivers in the guide', present: () => onPath('javac') },
  { package: 'redis-server', for: 'the benchmark', present: () => onPath('redis-server') },
  { package: 'prometheus', for: 'tests of metrics and alert rules', present: () => onPath('promtool') },
  { package: 'curl', for: 'the demo’s lines', present: () => onPath('curl') },
];

function main(): void {
  // The other needs are Linux services; elsewhere the tests that use them say that they are skipped.
  const needs = process.platform === 'linux' ? NEEDS : NEEDS.filter((need) => need.package === BROWSER);
  const missing = needs.filter((need) => !need.present());
  if (missing.length === 0) return;
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/etc/debian_version'))
    return install(missing);
  failOver(missing);
}

function install(missing: readonly Need[]): void {
  const packages = missing.map((need) => need.package);
  console.error(`The tests need ${packages.join(', ')}: installing from Debian's packages.`);
  apt(['update', '-q']);
  apt(['install', '-y', '-q', '--no-install-recommends', ...packages]);
  failOver(missing);
}

function apt(args: readonly string[]): void {
  const { status } = spawnSync('apt-get', args, {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) console.error(`apt-get ${args[0]} ended with ${status}.`);
}

function failOver(needs: readonly Need[]): void {
  const missing = needs.filter((need) => !need.present() && need.replaced?.() !== true);
  if (missing.length === 0) return;
  for (const need of missing) console.error(`Missing for ${need.for}: ${need.package}.`);
  console.error(
    process.platform === 'linux'
      ? `Install them, on Debian and Ubuntu with: sudo apt-get install ${missing.map((need) => need.package).join(' ')}`
      : 'Install Chromium or Google Chrome, or set the environment variable CHROMIUM to its program.',
  );
  process.exitCode = 1;
}

function onPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** A file in one of a folder's sub-folders, such as those of a server's versions. */
function inFolders(folder: string, file: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => existsSync(join(folder, name, file)));
}

function library(file: string): boolean {
  const folders = ['/usr/lib', '/lib', '/usr/lib64', ...subfolders('/usr/lib')];
  return folders.some((folder) => existsSync(join(folder, file)));
}

/** Debian keeps libraries in a folder named after the machine's kind, such as x86_64-linux-gnu. */
function subfolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.name.includes('-linux-') ? [join(folder, entry.name)] : [],
  );
}

main();
