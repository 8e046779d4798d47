import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { debootstrap } from '#test/debian-root.ts';

/**
 * A Debian root of another architecture, whose programs run under qemu-user. The interpreter is registered in a
 * separate user namespace (Linux 6.7 and newer), so that the machine's binfmt_misc is unchanged.
 */
export const QEMU = '/usr/bin/qemu-aarch64-static';
/** ELF, 64 bits, little-endian, e_machine 183. */
const BINFMT = String.raw`:sluice-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:${QEMU}:F`;
const ENTER = `set -e
read -r mapped
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
printf '%s' "$BINFMT" >/proc/sys/fs/binfmt_misc/register
mount -t proc proc "$ROOT/proc"
exec chroot "$@"`;
const NAMESPACE_MS_MAX = 10_000;
const ENVIRONMENT = ['/usr/bin/env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'LC_ALL=C'];

/** Takes a few minutes, because the second stage is emulated. Needs debootstrap and root. */
export async function makeForeignRoot(root: string): Promise<void> {
  debootstrap(root, ['libstdc++6'], '--arch=arm64', '--foreign');
  // "lxc": debootstrap then creates no device nodes, which is not allowed in a user namespace.
  await inForeignRoot(root, 'container=lxc', '/debootstrap/debootstrap', '--second-stage');
}

/** Runs a command in it as root. Returns its output; throws when it fails. */
export async function inForeignRoot(root: string, ...command: string[]): Promise<string> {
  const child = await enter(root, [root, ...ENVIRONMENT, ...command]);
  let output = '';
  child.stdout?.on('data', (text) => (output = (output + String(text)).slice(-100_000)));
  child.stderr?.on('data', (text) => (output = (output + String(text)).slice(-100_000)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${output.slice(-2000)}`);
  return output;
}

/** Starts a command in it as another user, as systemd would. */
export async function startInForeignRoot(root: string, user: string, ...command: string[]): Promise<ChildProcess> {
  return enter(root, [`--userspec=${user}`, root, ...ENVIRONMENT, ...command]);
}

async function enter(root: string, chroot: readonly string[]): Promise<ChildProcess> {
  const namespaces = ['--user', '--mount', '--pid', '--fork', '--kill-child'];
  const child = spawn('unshare', [...namespaces, 'sh', '-c', ENTER, 'sh', ...chroot], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ROOT: root, BINFMT },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('unshare did not start');
  const own = readlinkSync('/proc/self/ns/user');
  const end = performance.now() + NAMESPACE_MS_MAX;
  while (readlinkSync(`/proc/${pid}/ns/user`) === own) {
    if (performance.now() > end) throw new Error('unshare made no user namespace within 10 s');
    await sleep(10);
  }
  for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${pid}/${map}`, '0 0 65536');
  child.stdin.end('mapped\n');
  return child;
}

/** Sends SIGTERM to the command itself, because `unshare` does not pass it on. Resolves to the exit code. */
export async function endInForeignRoot(child: ChildProcess): Promise<number | null> {
  const ended = once(child, 'exit');
  process.kill(firstProcess(child), 'SIGTERM');
  const [code] = (await ended) as [number | null];
  return code;
}

/** Ends everything that runs there, if it has not ended. `--kill-child` does not survive the change of the user. */
export function killInForeignRoot(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  process.kill(firstProcess(child), 'SIGKILL');
}

function firstProcess({ pid }: ChildProcess): number {
  const first = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
  // 0 would be the group of this process.
  if (!(first > 0)) throw new Error('the command in the root has no process');
  return first;
}
