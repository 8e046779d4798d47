import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createAdminClient } from '#test/admin-client.ts';
import { makeDebianRoot, removeDebianRoot } from '#test/debian-root.ts';
import { freePort } from '#test/free-port.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/**
 * The life cycle of the .deb, in an otherwise empty Debian system:
 *
 * sudo node test/package/deb-in-root.ts OLDER.deb NEWER.deb [--root FOLDER]
 *
 * Makes the system with debootstrap (or takes a copy of FOLDER, which one made), installs the older package, starts it,
 * kills each of its processes, backs up, restores and checks the update as root, installs the newer one over it,
 * removes and purges. Prints one line a check and last `N passed, N failed`.
 *
 * systemd does not run in a changed root: the command and the user are read from the unit, and a loop here replaces
 * `Restart=always`. The unit itself is checked by systemd-analyze (build/package/unit-file.test.ts).
 */
const RESTART_MS = 1000;
const DATA = '/var/lib/sluice';
const PASSWORD = 'a long enough pass phrase';
const PASSPHRASE = 'a long passphrase';
/** A technician's folder, which the service's unit makes inaccessible; only root can open it. */
const CLOSED = '/home/technician';
const BACKUP = `${CLOSED}/line.backup`;

const counts = { passed: 0, failed: 0 };

async function check(title: string, holds: () => unknown): Promise<void> {
  try {
    const told = await holds();
    if (told === false) throw new Error('it is not so');
    counts.passed++;
    console.log(`ok    ${title}${typeof told === 'string' ? `: ${told}` : ''}`);
  } catch (error) {
    counts.failed++;
    console.log(`FAIL  ${title}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function makeRoot(given: string | undefined): string {
  const root = makeDebianRoot('sluice-root-', [], given);
  run('mount', '-t', 'proc', 'proc', join(root, 'proc'));
  return root;
}

function removeRoot(root: string): void {
  run('umount', join(root, 'proc'));
  removeDebianRoot(root);
}

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 ** 2,
  });
}

/** Runs a command in the root, as root. */
function inRoot(root: string, ...command: string[]): string {
  const env = [
    '/usr/bin/env',
    '-i',
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    'DEBIAN_FRONTEND=noninteractive',
    'LC_ALL=C',
  ];
  return run('chroot', root, ...env, ...command);
}

function install(root: string, deb: string): string {
  cpSync(deb, join(root, 'tmp', basename(deb)));
  return inRoot(root, 'dpkg', '-i', `/tmp/${basename(deb)}`);
}

/** The service as systemd would run it: the unit's command as the unit's user, with the environment of the drop-in. */
class Unit {
  readonly #root: string;
  readonly #ports: { gateway: number; ui: number };
  #child: ChildProcess | null = null;
  #wanted = true;
  #restart: NodeJS.Timeout | undefined;

  constructor(root: string, ports: { gateway: number; ui: number }) {
    this.#root = root;
    this.#ports = ports;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  start(): void {
    this.#wanted = true;
    const unit = readFileSync(join(this.#root, 'usr/lib/systemd/system/sluice.service'), 'utf8');
    const dropIn = readFileSync(join(this.#root, 'etc/systemd/system/sluice.service.d/secret.conf'), 'utf8');
    const command = field(unit, 'ExecStart').split(' ');
    const user = `${field(unit, 'User')}:${field(unit, 'Group')}`;
    const ports = [`SLUICE_GATEWAY_PORT=${this.#ports.gateway}`, `SLUICE_UI_PORT=${this.#ports.ui}`];
    const environment = ['/usr/bin/env', '-i', 'PATH=/usr/bin:/bin', field(dropIn, 'Environment'), ...ports];
    const args = [`--userspec=${user}`, this.#root, ...environment, ...command];
    this.#child = spawn('chroot', args, { stdio: ['ignore', 'inherit', 'inherit'] });
    this.#child.once('exit', () => {
      if (this.#wanted) this.#restart = setTimeout(() => this.start(), RESTART_MS);
    });
  }

  async stop(): Promise<number | null> {
    this.#wanted = false;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (child === null || child.exitCode !== null) return null;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    return code;
  }
}

function field(unit: string, name: string): string {
  const found = new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
  if (found === undefined) throw new Error(`the unit has no ${name}`);
  return found;
}

/**
 * Files of this script, and those that dpkg and the system write themselves: lists, logs, copies of the lists of users.
 */
const OTHERS =
  /^\/(home\/technician|etc\/sluice|tmp|proc|var\/lib\/dpkg|var\/log|var\/cache)(\/|$)|^\/etc\/(passwd|group|shadow|gshadow|subuid|subgid)-$/;

function pluginFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-plugin-'));
  const kinds = [{ id: 'acme-x', title: 'X', summary: 'Does x.', scopes: [] }];
  const manifest = { id: 'acme', name: 'Acme', version: '1.0.0', kinds, capabilities: [], targets: [] };
  writeFileSync(join(folder, 'sluice-plugin.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'index.js'), 'export default {}');
  return folder;
}

/** The package in a folder as delivered by a vendor, with a key that was installed on the PC before. */
function offerUpdate(root: string, deb: string): void {
  const folder = join(root, CLOSED, 'update');
  mkdirSync(folder, { mode: 0o700 });
  cpSync(deb, join(folder, basename(deb)));
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const sums = Buffer.from(`${createHash('sha256').update(readFileSync(deb)).digest('hex')}  ${basename(deb)}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums);
  writeFileSync(join(folder, 'SHA256SUMS.sig'), sign(null, sums, privateKey));
  mkdirSync(join(root, 'etc/sluice'));
  const options = { mode: 0o644 };
  writeFileSync(join(root, 'etc/sluice/update-key.pub'), publicKey.export({ type: 'spki', format: 'pem' }), options);
}

function refused(act: () => unknown, sentence: string): true {
  try {
    act();
  } catch (error) {
    if (error instanceof Error && error.message.includes(sentence)) return true;
    throw error;
  }
  throw new Error('it was not refused');
}

/** Files and folders in the root. */
function listing(root: string): string[] {
  const paths = run('find', root, '-xdev')
    .split('\n')
    .map((path) => path.slice(root.length));
  return paths.filter((path) => !OTHERS.test(path));
}

async function life(root: string, older: string, newer: string): Promise<void> {
  const before = new Set(listing(root));
  if (before.size < 1000) throw new Error(`${root} is no system: it has ${before.size} files`);
  const ports = { gateway: await freePort(), ui: await freePort() };
  const unit = new Unit(root, ports);
  const at = (path: string): string => join(root, path);
  const ui = `http://127.0.0.1:${ports.ui}`;
  const admin = createAdminClient(ui);
  let key = '';
  const call = async (): Promise<number> =>
    fetch(`http://127.0.0.1:${ports.gateway}/doubled?n=21`, { headers: { 'X-API-Key': key } }).then(
      ({ status }) => status,
      () => 0,
    );
  const serves = async (): Promise<string> => {
    const start = performance.now();
    await until('the route answers 200', async () => (await call()) === 200, { timeoutMs: 30_000, everyMs: 20 });
    return `after ${Math.round(performance.now() - start)} ms`;
  };

  try {
    await check('the older package installs', () =>
      install(root, older)
        .split('\n')
        .find((line) => line.startsWith('sluice:')),
    );
    await check('its user has no log-in, its data folder is the user’s alone', () => {
      const { mode, uid } = statSync(at(DATA));
      const entry =
        readFileSync(at('etc/passwd'), 'utf8')
          .split('\n')
          .find((line) => line.startsWith('sluice:')) ?? '';
      return (mode & 0o777) === 0o700 && entry.split(':')[2] === String(uid) && entry.endsWith('/usr/sbin/nologin');
    });
    await check(
      'it has no configuration files',
      () => inRoot(root, 'dpkg-query', '-W', '-f', '${Conffiles}', 'sluice') === '',
    );
    unit.start();
    await check('it starts', () =>
      until(
        'the UI answers',
        () =>
          fetch(ui).then(
            ({ ok }) => ok,
            () => false,
          ),
        { timeoutMs: 30_000 },
      ).then(() => true),
    );
    await check('a route is made and answers', async () => {
      const token = readFileSync(at(`${DATA}/setup-token`), 'utf8').trim();
      await admin.ok('POST', '/setup', { token, name: 'admin', password: PASSWORD });
      await admin.logIn('admin', PASSWORD);
      await admin.ok('POST', '/projects', { id: 'line', name: 'Line' });
      const code = 'export default (msg) => ({ status: 200, body: { doubled: msg.payload.query.n * 2 } })';
      const middle = [{ kind: 'transform', settings: { scopes: [], code } }];
      await admin.run('line', routePipeline({ id: 'doubled', path: '/doubled', middle }));
      ({ key } = await admin.ok<{ key: string }>('POST', '/projects/line/keys', { name: 'test', scopes: [] }));
      return (await call()) === 200;
    });
    await check('everything in its data folder is the user’s alone', () => {
      const open = run('find', at(DATA), '-perm', '/077').trim();
      return open === '' || Promise.reject(new Error(open));
    });
    await check('kill -9 of the gateway: the route is back', async () => {
      const { gateway } = await admin.ok<{ gateway: { pid: number } }>('GET', '/status');
      process.kill(gateway.pid, 'SIGKILL');
      await until('the route is gone', async () => (await call()) !== 200, { timeoutMs: 5_000, everyMs: 1 });
      return serves();
    });
    await check(`kill -9 of the host: the route is back (${RESTART_MS} ms of it are RestartSec)`, async () => {
      process.kill(unit.pid, 'SIGKILL');
      await until('the route is gone', async () => (await call()) !== 200, { timeoutMs: 5_000, everyMs: 1 });
      return serves();
    });
    const sluice = (words: string, input = ''): string =>
      inRoot(root, 'sh', '-c', `printf '%s' '${input}' | sluice ${words}`);
    await check('root backs up into a folder that the service cannot see', () => {
      mkdirSync(at(CLOSED), { mode: 0o700 });
      sluice(`backup ${BACKUP}`, PASSPHRASE);
      const { uid, mode } = statSync(at(BACKUP));
      return uid === 0 && (mode & 0o777) === 0o600;
    });
    await check('root adds a plugin from there', () => {
      cpSync(pluginFolder(), at(`${CLOSED}/plugin`), { recursive: true });
      chmodSync(at(`${CLOSED}/plugin`), 0o700);
      return sluice(`plugin add ${CLOSED}/plugin`).includes('Acme (acme 1.0.0)');
    });
    await check('the installed version checks the newer package', () => {
      offerUpdate(root, newer);
      return (
        sluice(`update verify ${CLOSED}/update/${basename(newer)}`)
          .trim()
          .split('\n')
          .at(-1) ?? false
      );
    });
    await check('one byte more, and it is refused', () => {
      appendFileSync(at(`${CLOSED}/update/${basename(newer)}`), 'x');
      return refused(
        () => sluice(`update verify ${CLOSED}/update/${basename(newer)}`),
        'does not match its signed checksum',
      );
    });
    await check('it ends cleanly on request', async () => (await unit.stop()) === 0);
    await check('the newer package installs over it, without a question', () => install(root, newer) !== '');
    await check('dpkg has the newer version', () => inRoot(root, 'dpkg-query', '-W', '-f', '${Version}', 'sluice'));
    unit.start();
    await check('the key from before opens its route', serves);
    await check('the log-in from before is known', async () => {
      await createAdminClient(ui).logIn('admin', PASSWORD);
      return true;
    });
    await unit.stop();
    await check('stopped, root restores from that folder, as the service’s user', () => {
      sluice(`restore ${BACKUP} --secret-store file`, PASSPHRASE);
      const others = run('find', at(DATA), '!', '-user', String(statSync(at(DATA)).uid)).trim();
      return others === '' || Promise.reject(new Error(others));
    });
    unit.start();
    await check('the key from before opens its route after it', serves);
    await unit.stop();
    await check('removing it keeps the data and says so', () => {
      const told = inRoot(root, 'dpkg', '-r', 'sluice');
      return existsSync(at(`${DATA}/vault.db`)) && !existsSync(at('usr/lib/sluice')) && told.includes(DATA);
    });
    install(root, newer);
    unit.start();
    await check('installed again, the key still opens its route', serves);
    await unit.stop();
    await check('purging it leaves nothing', () => {
      inRoot(root, 'dpkg', '-P', 'sluice');
      const left = listing(root).filter((path) => !before.has(path));
      const user = readFileSync(at('etc/passwd'), 'utf8').includes('sluice');
      return (left.length === 0 && !user) || Promise.reject(new Error(user ? 'the user' : left.join(', ')));
    });
  } finally {
    await unit.stop();
  }
}

async function main([older, newer, flag, given]: readonly string[]): Promise<void> {
  if (older === undefined || newer === undefined || process.getuid?.() !== 0) {
    console.error('Run as root: node test/package/deb-in-root.ts OLDER.deb NEWER.deb [--root FOLDER]');
    process.exitCode = 1;
    return;
  }
  const root = makeRoot(flag === '--root' ? given : undefined);
  try {
    console.log(
      `${readdirSync(root).length} folders; ${inRoot(root, 'sh', '-c', 'dpkg -l | grep -c ^ii').trim()} packages before`,
    );
    await life(root, older, newer);
  } finally {
    removeRoot(root);
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

await main(process.argv.slice(2));
