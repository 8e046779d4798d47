import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallInput, CallValue } from '#common/capabilities/calls.ts';
import { createLogger } from '#common/node/log.ts';
import { NodeError } from '#sdk';
import { tempDir } from '#test/temp-dir.ts';
import { callContext } from '../call-context.testing.ts';
import type { CallContext, Capability } from '../contract.ts';
import { CapabilityBroker } from '../capability-broker.ts';
import { openByDescriptor, openByPath, type OpenFolderHandle } from './folder-handle.ts';
import { createFiles, type FileCalls } from './files.ts';
import { ENDLESS_DISK } from '../disk-room.testing.ts';

/**
 * Both implementations of folder handles; the one by path is also tested here, although it is for systems without
 * `/proc`.
 */
export const WAYS: readonly (readonly [string, OpenFolderHandle])[] =
  process.platform === 'linux'
    ? [
        ['by descriptor', openByDescriptor],
        ['by path', openByPath],
      ]
    : [['by path', openByPath]];

export const CANARY = 'what is outside of the workspace';

export interface FilesFixture extends AsyncDisposable {
  /** The temporary folder of this test; `data` in it is the data folder, `outside` beside it contains a canary. */
  readonly dir: string;
  readonly data: string;
  /** The workspace of project `p`; created, so that a test can add files to it. */
  readonly root: string;
  readonly outside: string;
  readonly lines: readonly string[];
  readonly files: Capability<FileCalls>;
  call<N extends FileCalls>(name: N, args: CallInput<N>, context?: Partial<CallContext>): Promise<CallValue<N>>;
  write(path: string, content?: unknown): Promise<{ bytes: number }>;
  read(path: string): Promise<unknown>;
  /** Another gateway with the same folder. */
  restart(): Promise<void>;
}

export async function filesFixture(open?: OpenFolderHandle, quotaBytes?: number): Promise<FilesFixture> {
  const temp = await tempDir();
  const data = join(temp.path, 'data');
  const root = join(data, 'projects', 'p', 'files');
  const outside = join(temp.path, 'outside');
  mkdirSync(root, { recursive: true, mode: 0o700 });
  mkdirSync(outside);
  for (const folder of [temp.path, data, join(data, 'projects'), join(data, 'projects', 'p'), outside])
    writeFileSync(join(folder, 'canary.txt'), CANARY);
  const lines: string[] = [];
  const log = createLogger('test', (line) => void lines.push(line));
  const make = () =>
    createFiles({ dataDir: data, log, disk: ENDLESS_DISK, ...(open && { open }), ...(quotaBytes && { quotaBytes }) });
  let files = make();
  let door = new CapabilityBroker([files]);
  const call: FilesFixture['call'] = (name, args, context) => door.call(contextOf(context), name, args);
  return {
    dir: temp.path,
    data,
    root,
    outside,
    lines,
    get files() {
      return files;
    },
    call,
    write: (path, content = 'new') => call('files.write', { path, content }),
    read: (path) => call('files.read', { path }),
    async restart() {
      await files.close();
      files = make();
      door = new CapabilityBroker([files]);
    },
    async [Symbol.asyncDispose]() {
      await files.close();
      await temp.remove();
    },
  };
}

function contextOf(more: Partial<CallContext> = {}): CallContext {
  return callContext(more);
}

/** The error code of a refused call; otherwise its result. */
export async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    return { value: await work };
  } catch (error) {
    return error instanceof NodeError ? error.code : error;
  }
}

/** A line for each entry below a folder, with the hash of its content; `except` and everything below it is left out. */
export function snapshot(folder: string, except = ''): string[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      if (path === except) return [];
      const stats = lstatSync(path);
      const head = `${path} ${(stats.mode & 0o177777).toString(8)}`;
      if (stats.isDirectory()) return [head, ...snapshot(path, except)];
      if (stats.isSymbolicLink()) return [`${head} ${readlinkSync(path)}`];
      return [stats.isFile() ? `${head} ${createHash('sha256').update(readFileSync(path)).digest('hex')}` : head];
    });
}
