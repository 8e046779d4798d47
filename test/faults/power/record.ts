import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '#test/temp-dir.ts';
import { DiskImage, readBase } from './disk-image.ts';
import { CallFollower, FOLLOWED_CALLS } from './follow-calls.ts';
import { isSharedMemory, type Recording } from './operations.ts';
import { parseTrace } from './parse-trace.ts';

/** Longer than any write of a workload. */
const STRING_BYTES_MAX = 32 * 1024 ** 2;
const WORKLOAD_MS_MAX = 120_000;

/** Why nothing can be recorded here; null if it can. */
export function whyNoTrace(): string | null {
  if (process.platform !== 'linux') return 'needs Linux: it records with strace';
  const { status, error } = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true'], { timeout: 10_000 });
  if (error) return 'needs the program strace';
  return status === 0 ? null : 'strace may not trace processes here (ptrace)';
}

/** Runs `strace` on a program of the tests; throws its output if it fails. */
export async function underStrace(straceArgs: readonly string[], programArgs: readonly string[]): Promise<string> {
  // libuv would pass writes to the kernel through shared memory, which a tracer cannot see.
  const env = { ...process.env, UV_USE_IO_URING: '0', NODE_OPTIONS: '' };
  const args = ['-f', '-qq', ...straceArgs, process.execPath, ...programArgs];
  await using dir = await tempDir('sluice-said-');
  // A file, because synchronous output (sayDone) does not fit into a pipe whose reader is slow.
  await using out = await open(join(dir.path, 'said'), 'w+');
  const child = spawn('strace', args, { env, stdio: ['ignore', out.fd, 'pipe'], timeout: WORKLOAD_MS_MAX });
  let complaint = '';
  child.stderr?.on('data', (text) => (complaint = (complaint + String(text)).slice(-10_000)));
  const [status] = (await once(child, 'close')) as [number | null];
  const said = await readFile(join(dir.path, 'said'), 'utf8');
  if (status === 0) return said;
  throw new Error(`the workload ended with ${status}:\n${complaint}\n${said.slice(-2_000)}`);
}

/**
 * Runs a workload (a program that receives the folder) on a folder and returns its operations. Checks itself: all
 * operations together, applied to the initial folder, must result in the current one.
 */
export async function record(program: string, folder: string, args: readonly string[] = []): Promise<Recording> {
  const root = await realpath(folder);
  const before = readBase(root);
  const follower = new CallFollower(root, before);
  await using dir = await tempDir('sluice-trace-');
  const trace = join(dir.path, 'trace');
  const options = ['--seccomp-bpf', '-xx', '-s', String(STRING_BYTES_MAX), '-o', trace];
  await underStrace(
    [...options, '-e', `trace=${FOLLOWED_CALLS.map((call) => `?${call}`).join(',')}`],
    [program, root, ...args],
  );
  follower.follow(parseTrace(await readFile(trace, 'latin1')));
  await rm(trace);
  const folders = new Map(before.folders);
  for (const inode of follower.madeFolders) folders.set(inode, new Map());
  const recording = { base: { files: before.files, folders }, operations: follower.operations };
  expectSame(recording, root);
  return recording;
}

function expectSame(recording: Recording, root: string): void {
  const image = new DiskImage(recording.base);
  for (const operation of recording.operations) image.apply(operation);
  const now = new DiskImage(readBase(root));
  const contents = (of: DiskImage) =>
    new Map(of.names().map(({ path, inode, isFolder }) => [path, isFolder ? null : of.bytes(inode)]));
  const [recorded, real] = [contents(image), contents(now)];
  const differing = [...new Set([...recorded.keys(), ...real.keys()])].filter(
    (path) => !isSharedMemory(path) && !equal(recorded.get(path), real.get(path)),
  );
  if (differing.length > 0)
    throw new Error(`what was recorded does not give the folder as it is: ${differing.join(', ')}`);
}

function equal(a: Buffer | null | undefined, b: Buffer | null | undefined): boolean {
  return a && b ? a.equals(b) : a === b;
}
