import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache.ts';
import type { Suite, UserName } from './rows.ts';
import { must } from './run-program.ts';

/**
 * A Debian system made of layers, with a user who has only an empty home. Called in a separate mount namespace
 * (fresh.ts): the mounts end with it in any case.
 *
 * The home and /tmp are plain folders on top of the overlay, so that file tests run on a normal file system.
 */
export interface MachineRoot {
  readonly path: string;
  readonly home: string;
  readonly user: UserName;
}

interface RootOptions {
  /** A folder for files that only this root needs. */
  scratch: string;
  /** Topmost first. */
  layers: readonly string[];
  /** Receives written files; default: a folder of `scratch`. */
  upper?: string;
  user: UserName;
  suite: Suite;
}

const IDS = { root: 0, dev: 1000 } as const satisfies Record<UserName, number>;
const HOMES = { root: '/root', dev: '/home/dev' } as const satisfies Record<UserName, string>;
const PROGRAMS = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export async function mountRoot(options: RootOptions, log: string): Promise<MachineRoot> {
  const { scratch, layers, user, suite } = options;
  const root: MachineRoot = { path: join(scratch, 'root'), home: HOMES[user], user };
  const upper = options.upper ?? folderIn(scratch, 'upper');
  const work = folderIn(scratch, 'work');
  folderIn(scratch, 'root');
  const overlay = `lowerdir=${layers.join(':')},upperdir=${upper},workdir=${work}`;
  await must(['mount', '-t', 'overlay', 'overlay', '-o', overlay, root.path], log);
  await must(['mount', '-t', 'proc', 'proc', join(root.path, 'proc')], log);
  await must(['mount', '--rbind', '/sys', join(root.path, 'sys')], log);
  await must(['mount', '--rbind', '/dev', join(root.path, 'dev')], log);
  await must(['mount', '-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', join(root.path, 'dev/shm')], log);
  await bind(cacheFolder('apt', suite), join(root.path, 'var/cache/apt/archives'), log);
  await bind(folderIn(scratch, 'tmp', 0o1777), join(root.path, 'tmp'), log);
  await bind(homeFolder(scratch, user), join(root.path, root.home), log);
  copyNetworkFiles(root.path);
  return root;
}

export async function unmountRoot(root: MachineRoot, log: string): Promise<void> {
  await must(['umount', '--recursive', root.path], log);
}

/** The command that runs a shell line as the user of the root, in the home folder, with an empty environment. */
export function enterRoot({ path, home, user }: MachineRoot, line: string): readonly string[] {
  const id = IDS[user];
  const environment = [`HOME=${home}`, `USER=${user}`, `LOGNAME=${user}`, 'SHELL=/bin/bash', `PATH=${PROGRAMS}`];
  const quiet = user === 'root' ? ['DEBIAN_FRONTEND=noninteractive'] : [];
  const words = ['/usr/bin/env', '-i', ...environment, ...quiet, '/bin/sh', '-c', `cd "$HOME" && ${line}`];
  return ['chroot', `--userspec=${id}:${id}`, '--groups=', path, ...words];
}

/** Copies a file or folder to the root's home and makes the user its owner. */
export async function giveToUser({ path, home, user }: MachineRoot, name: string, log: string): Promise<void> {
  await must(['chown', '-R', `${IDS[user]}:${IDS[user]}`, join(path, home, name)], log);
}

/** npm's cache of earlier runs; one folder per user, because npm refuses files of other users. */
export async function lendNpmCache(root: MachineRoot, log: string): Promise<void> {
  const cache = cacheFolder('npm', root.user);
  chownSync(cache, IDS[root.user], IDS[root.user]);
  await bind(cache, join(root.path, root.home, '.npm'), log);
  chownSync(join(root.path, root.home, '.npm'), IDS[root.user], IDS[root.user]);
}

async function bind(from: string, to: string, log: string): Promise<void> {
  mkdirSync(to, { recursive: true });
  await must(['mount', '--bind', from, to], log);
}

function folderIn(scratch: string, name: string, mode = 0o755): string {
  const folder = join(scratch, name);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, mode);
  return folder;
}

/** The mode of root's home in Debian, and common for users too. */
function homeFolder(scratch: string, user: UserName): string {
  const home = folderIn(scratch, 'home', 0o700);
  chownSync(home, IDS[user], IDS[user]);
  return home;
}

/** Debian's installer writes /etc/hosts, debootstrap does not; names are resolved as on this machine. */
function copyNetworkFiles(root: string): void {
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n');
  if (existsSync('/etc/resolv.conf')) cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'), { dereference: true });
}
