import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#test/free-port.ts';
import { until } from '#test/until.ts';
import { build } from './build-script.ts';
import { answerKeyedCall } from './keyed-call.ts';
import { installTools } from './tools.ts';

/**
 * `npm run try:oci`: builds the image twice and compares the bytes, runs it with podman and runc as described in the
 * guide (no rights, nothing writable except the volume), calls a route with a key, and starts a second container on the
 * same volume. Needs root; on Debian it installs podman and runc. Its images and containers are in a separate folder.
 */
const READY_MS_MAX = 60_000;
const scratch = mkdtempSync(join(tmpdir(), 'sluice-try-oci-'));

function podman(...words: string[]): string {
  const places = ['--root', join(scratch, 'storage'), '--runroot', join(scratch, 'run')];
  const engine = ['--storage-driver', 'vfs', '--cgroup-manager', 'cgroupfs', '--runtime', 'runc'];
  return execFileSync('podman', [...places, ...engine, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

async function main(): Promise<void> {
  installTools({ podman: '/usr/bin/podman', runc: '/usr/sbin/runc' });
  const file = await makeImage();
  const image = podman('load', '--quiet', '--input', file).replace(/^Loaded image: /, '');
  console.log(`loaded: ${image}, user ${podman('image', 'inspect', '--format', '{{.Config.User}}', image)}`);
  const ports = { gateway: await freePort(), ui: await freePort() };
  try {
    await start('first', image, ports);
    const setupToken = readToken('first');
    const ui = `http://127.0.0.1:${ports.ui}`;
    const gateway = `http://127.0.0.1:${ports.gateway}`;
    for (const line of await answerKeyedCall({ ui, gateway, setupToken })) console.log(line);
    end('first');
    await start('second', image, ports);
    const status = (await fetch(`${gateway}/doubled`)).status;
    console.log(`a second container on the same volume, without a key: ${status}`);
    if (status !== 401) throw new Error('the route is not there');
    console.log(podman('exec', 'second', 'sluice', 'audit', 'verify').split('\n').at(-1));
    end('second');
  } finally {
    podman('rm', '--force', '--all', '--volumes');
  }
  console.log('ok');
}

async function makeImage(): Promise<string> {
  const [one, other] = [join(scratch, 'one'), join(scratch, 'other')];
  for (const out of [one, other]) await build('package-oci.ts', '--snapshot', '--out', out);
  const [name = ''] = readdirSync(one);
  const [first, second] = [one, other].map((out) => sha256(join(out, name)));
  console.log(`${name}: ${first}; built again: ${first === second ? 'the same bytes' : second}`);
  if (first !== second) throw new Error('two builds differ');
  return join(one, name);
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

async function start(name: string, image: string, ports: { gateway: number; ui: number }): Promise<void> {
  const rights = ['--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges'];
  // podman's own limits are above those of some machines.
  const limits = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'];
  const flags = ['serve', '--gateway-port', `${ports.gateway}`, '--ui-port', `${ports.ui}`];
  const volume = ['--volume', 'data:/var/lib/sluice'];
  podman('run', '--detach', '--name', name, '--network', 'host', ...rights, ...limits, ...volume, image, ...flags);
  await until('it is ready', () => podman('logs', name).includes('"event":"ready"'), {
    timeoutMs: READY_MS_MAX,
    everyMs: 500,
  });
}

/** From the volume: the image has no program that prints a file. */
function readToken(name: string): string {
  const volume = podman('inspect', '--format', '{{range .Mounts}}{{.Source}}{{end}}', name);
  return readFileSync(join(volume, 'setup-token'), 'utf8').trim();
}

function end(name: string): void {
  podman('stop', '--time', '30', name);
  const code = podman('inspect', '--format', '{{.State.ExitCode}}', name);
  console.log(`stopped: exit code ${code}`);
  if (code !== '0') throw new Error('it did not end cleanly');
}

try {
  await main();
} finally {
  rmSync(scratch, { recursive: true });
}
