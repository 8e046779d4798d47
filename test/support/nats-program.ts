import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * nats-server for tests of a fleet: the installed one, or one from Debian 13, because that of Debian 12 is too old. It is
 * unpacked outside of the repository and kept between runs; nothing is installed, and the machine's lists of packages
 * stay as they are.
 */
export const NATS_MIN = '2.10.27';
const FOLDER = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sluice-nats');
const UNPACKED = join(FOLDER, 'usr/sbin/nats-server');
const FETCH_MS_MAX = 120_000;
const SOURCES = `Types: deb
URIs: http://deb.debian.org/debian
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
`;

/** The path of a program that is new enough, or null. */
export function natsServer(): string | null {
  return [UNPACKED, '/usr/sbin/nats-server', '/usr/local/bin/nats-server'].find(isNewEnough) ?? null;
}

function isNewEnough(program: string): boolean {
  if (!existsSync(program)) return false;
  const text = execFileSync(program, ['--version'], { encoding: 'utf8' });
  const [major = 0, minor = 0, patch = 0] = /v(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? [];
  return major > 2 || (major === 2 && (minor > 10 || (minor === 10 && patch >= 27)));
}

/** Needs apt and dpkg. Throws with what they print. */
export function fetchNatsServer(): void {
  console.error(`The tests of a fleet need nats-server: fetching it from Debian 13 into ${FOLDER}.`);
  const apt = join(FOLDER, 'apt');
  for (const folder of ['lists/partial', 'cache/archives/partial', 'sources'])
    mkdirSync(join(apt, folder), { recursive: true });
  writeFileSync(join(apt, 'sources/trixie.sources'), SOURCES);
  const options = [
    'Dir::Etc::sourcelist=/dev/null',
    `Dir::Etc::sourceparts=${join(apt, 'sources')}`,
    `Dir::State::lists=${join(apt, 'lists')}`,
    `Dir::Cache=${join(apt, 'cache')}`,
    'Acquire::Languages=none',
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  const run = (program: string, args: readonly string[]) =>
    execFileSync(program, args, { cwd: apt, timeout: FETCH_MS_MAX, stdio: ['ignore', 2, 2] });
  run('apt-get', [...options, 'update', '-q']);
  run('apt-get', [...options, 'download', '-q', 'nats-server']);
  const [deb = 'nats-server.deb'] = readdirSync(apt).filter((name) => name.endsWith('.deb'));
  run('dpkg-deb', ['-x', join(apt, deb), FOLDER]);
  rmSync(apt, { recursive: true });
}
