import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { browserProgram, isPreferred } from '#test/browser-program.ts';
import { fetchNatsServer, NATS_MIN, natsServer } from '#test/nats-program.ts';

/** Requirements of tests and the benchmark in addition to npm's packages: programs of Debian's packages. */
export interface Need {
  /** Debian's package. */
  package: string;
  for: string;
  /** Test files that `npm test` leaves out without it. Other tests that need it skip themselves. */
  files?: readonly string[];
  /** No test needs it. */
  benchmark?: true;
  present(): boolean;
  /** Fetches it in another way than by installing the package; throws an error with the reason. */
  fetch?(): void;
  /** Whether there is an alternative if the package cannot be installed. */
  replaced?(): boolean;
}

const BROWSER = 'chromium-headless-shell';
const SECRET_SERVICE = ['main/keychain/keychain.test.ts', 'main/desktop/tray-host.test.ts'];

export const NEEDS: readonly Need[] = [
  {
    package: BROWSER,
    for: 'tests of the UI in a real browser',
    files: ['test/e2e/**/*.test.ts', 'test/package/desktop-dir.test.ts'],
    present: () => isPreferred(browserProgram()) && existsSync(browserProgram()),
    replaced: () => process.platform !== 'linux' || existsSync(browserProgram()),
  },
  {
    package: 'gnome-keyring',
    for: 'tests against a real Secret Service',
    files: SECRET_SERVICE,
    present: () => onPath('gnome-keyring-daemon'),
  },
  {
    package: 'libsecret-1-0',
    for: 'the keychain',
    files: SECRET_SERVICE,
    present: () => library('libsecret-1.so.0'),
  },
  {
    package: 'dbus',
    for: 'tests against a real Secret Service',
    files: SECRET_SERVICE,
    present: () => onPath('dbus-run-session'),
  },
  {
    package: 'nats-server',
    for: `tests of a fleet (version ${NATS_MIN} or later)`,
    files: ['test/fleet/{fleet,demo}.test.ts', 'test/e2e/fleet.test.ts'],
    present: () => natsServer() !== null,
    fetch: fetchNatsServer,
  },
  { package: 'wrk', for: 'the benchmark', benchmark: true, present: () => onPath('wrk') },
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
  {
    package: 'systemd',
    for: 'tests of the unit and of systemd’s watchdog',
    files: ['test/service/systemd.test.ts'],
    present: () => onPath('systemd-notify'),
  },
  {
    package: 'openssl',
    for: 'certificates of test peers',
    files: ['gateway/capabilities/tags/mqtt/provider.test.ts', 'gateway/egress/http/{proxy,tls}.test.ts'],
    present: () => onPath('openssl'),
  },
  {
    package: 'python3',
    for: 'tests of the receivers in the guide',
    files: ['test/service/systemd.test.ts', 'test/e2e/routes.test.ts'],
    present: () => onPath('python3'),
  },
  { package: 'default-jdk-headless', for: 'tests of the receivers in the guide', present: () => onPath('javac') },
  { package: 'redis-server', for: 'the benchmark', benchmark: true, present: () => onPath('redis-server') },
  {
    package: 'prometheus',
    for: 'tests of metrics and alert rules',
    files: ['test/monitoring/**/*.test.ts'],
    present: () => onPath('promtool'),
  },
  {
    package: 'curl',
    for: 'the lines of the demo and of the pages',
    files: ['test/e2e/routes.test.ts'],
    present: () => onPath('curl'),
  },
];

/** Missing requirements. The others are Linux services; elsewhere the tests that use them are skipped. */
export function missingNeeds(): Need[] {
  const needs = process.platform === 'linux' ? NEEDS : NEEDS.filter((need) => need.package === BROWSER);
  return needs.filter((need) => !need.present());
}

/** The missing ones without an alternative. */
export function unmetNeeds(): Need[] {
  return missingNeeds().filter((need) => need.replaced?.() !== true);
}

/** Whether packages can be installed without asking: as root on Debian and its derivatives. */
export function mayInstall(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

export function install(missing: readonly Need[]): void {
  for (const need of missing) fetchOne(need);
  const packages = missing.filter((need) => need.fetch === undefined).map((need) => need.package);
  if (packages.length === 0) return;
  console.error(`The tests need ${packages.join(', ')}: installing from Debian's packages.`);
  apt(['update', '-q']);
  apt(['install', '-y', '-q', '--no-install-recommends', ...packages]);
}

function fetchOne(need: Need): void {
  try {
    need.fetch?.();
  } catch (error) {
    console.error(`${need.package} cannot be fetched: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function apt(args: readonly string[]): void {
  const { status } = spawnSync('apt-get', args, {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) console.error(`apt-get ${args[0]} ended with ${status}.`);
}

/** How to install missing packages, in one sentence. */
export function howToInstall(missing: readonly Need[]): string {
  return process.platform === 'linux'
    ? `Install them, on Debian and Ubuntu with: sudo apt-get install ${missing.map((need) => need.package).join(' ')}`
    : 'Install Chromium or Google Chrome, or set the environment variable CHROMIUM to its program.';
}

function onPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** A file in one of the subfolders of a folder, such as those of a server's versions. */
function inFolders(folder: string, file: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => existsSync(join(folder, name, file)));
}

function library(file: string): boolean {
  const folders = ['/usr/lib', '/lib', '/usr/lib64', ...subfolders('/usr/lib')];
  return folders.some((folder) => existsSync(join(folder, file)));
}

/** Debian stores libraries in a folder named after the architecture, such as x86_64-linux-gnu. */
function subfolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.name.includes('-linux-') ? [join(folder, entry.name)] : [],
  );
}
