import { type ChildProcess, execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '#test/free-port.ts';
import { until } from '#test/until.ts';
import { build } from './build-script.ts';
import * as foreign from './foreign-root.ts';
import { answerKeyedCall } from './keyed-call.ts';
import { installTools } from './tools.ts';

/**
 * `npm run try:arm64`: makes the arm64 packages, installs the .deb in an arm64 Debian under qemu-user, starts it, sets
 * it up and calls a route with a key; then the same with the .tar.gz. Needs root and Linux 6.7 or newer; on Debian it
 * installs qemu-user-static and debootstrap. About 15 minutes, most of them emulation.
 *
 * `--packages DIR` takes packages that are made already, `--root DIR` a root that debootstrap has made.
 */
const READY_MS_MAX = 600_000;
const LOG_CHARS_MAX = 5_000;
const { values } = parseArgs({ options: { packages: { type: 'string' }, root: { type: 'string' } } });

async function main(): Promise<void> {
  installTools({ 'qemu-user-static': foreign.QEMU, debootstrap: '/usr/sbin/debootstrap' });
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-arm64-'));
  // Users of the root need access to it.
  chmodSync(scratch, 0o755);
  try {
    const packages = values.packages ?? (await makePackages(join(scratch, 'packages')));
    const root = await rootIn(scratch);
    await tryDeb(root, packages);
    await tryTarball(root, packages);
    console.log('ok');
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function makePackages(folder: string): Promise<string> {
  await build('package-service.ts', '--snapshot', '--arch', 'arm64', '--out', folder);
  return folder;
}

/** Always a new copy, because the trial leaves files in it. */
async function rootIn(scratch: string): Promise<string> {
  const root = join(scratch, 'root');
  if (values.root === undefined) await foreign.makeForeignRoot(root);
  else execFileSync('cp', ['-a', values.root, root]);
  const [machine, kind] = [await foreign.inForeignRoot(root, 'uname', '-m'), debianVersion(root)];
  console.log(`root: Debian ${kind}, ${machine.trim()}`);
  return root;
}

const debianVersion = (root: string): string => readFileSync(join(root, 'etc/debian_version'), 'utf8').trim();

async function tryDeb(root: string, packages: string): Promise<void> {
  const deb = fileIn(packages, /_arm64\.deb$/);
  copyFileSync(join(packages, deb), join(root, 'tmp/sluice.deb'));
  await foreign.inForeignRoot(root, 'dpkg', '-i', '/tmp/sluice.deb');
  const version = await foreign.inForeignRoot(root, 'sluice', '--version');
  console.log(`${deb}: installed, sluice --version: ${version.trim()}`);
  await tryService(root, 'sluice:sluice', '/usr/bin/sluice', '/var/lib/sluice');
}

async function tryTarball(root: string, packages: string): Promise<void> {
  const file = fileIn(packages, /-linux-arm64\.tar\.gz$/);
  execFileSync('tar', ['-xzf', join(packages, file), '-C', join(root, 'opt')]);
  console.log(`${file}: unpacked`);
  await tryService(root, 'nobody:nogroup', `/opt/${file.replace('.tar.gz', '')}/sluice`, '/tmp/data');
}

function fileIn(folder: string, name: RegExp): string {
  const found = readdirSync(folder).find((file) => name.test(file));
  if (found === undefined) throw new Error(`${folder} has no file like ${name.source}.`);
  return found;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function tryService(root: string, user: string, program: string, data: string): Promise<void> {
  const [gatewayPort, uiPort] = [await freePort(), await freePort()];
  const flags = [
    '--data',
    data,
    '--secret-store',
    'file',
    '--gateway-port',
    `${gatewayPort}`,
    '--ui-port',
    `${uiPort}`,
  ];
  const begun = performance.now();
  const child = await foreign.startInForeignRoot(root, user, program, 'serve', ...flags);
  let out = '';
  let log = '';
  child.stdout?.on('data', (text) => (out = (out + String(text)).slice(-LOG_CHARS_MAX)));
  child.stderr?.on('data', (text) => (log = (log + String(text)).slice(-LOG_CHARS_MAX)));
  try {
    await until('it is ready', () => hasEnded(child) || out.includes('"event":"ready"'), {
      timeoutMs: READY_MS_MAX,
      everyMs: 100,
    });
    if (hasEnded(child)) throw new Error('it ended before it was ready');
    console.log(`ready after ${Math.round((performance.now() - begun) / 1000)} s`);
    const setupToken = readFileSync(join(root, data, 'setup-token'), 'utf8').trim();
    const [ui, gateway] = [`http://127.0.0.1:${uiPort}`, `http://127.0.0.1:${gatewayPort}`];
    for (const line of await answerKeyedCall({ ui, gateway, setupToken })) console.log(line);
    const code = await foreign.endInForeignRoot(child);
    console.log(`SIGTERM: exit code ${code}`);
    if (code !== 0) throw new Error('it did not end cleanly');
  } catch (error) {
    throw new Error(`${program} failed; its log:\n${log}`, { cause: error });
  } finally {
    foreign.killInForeignRoot(child);
  }
}

await main();
