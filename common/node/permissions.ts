import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from './journal/file-ops.ts';

/** The gateway's rights to files and processes, as flags of Node's permission model (docs/decisions/0017). */
export interface GatewayPlaces {
  /** The gateway's file. Code is read from the folders beside it. */
  readonly entry: string;
  /** Runs first in the process and in each of its threads (gateway/confine). */
  readonly confine: string;
  readonly dataDir: string;
  readonly compileCache?: string | undefined;
}

/** In a checkout and in a package. */
const CODE = ['app/*', 'common/*', 'gateway/*', 'plugins/*', 'node_modules/*', 'build/npm/*', 'package.json'];
const DATA_FOLDERS = ['journal/gateway', 'opcua', 'projects'];
const DATA_FILES = ['blocked-node.json', 'history.sqlite*', 'journal/refusals.ring', 'outbox.sqlite*'];
const DATA_READ_ONLY = ['plugins'];

/**
 * Folders of the workspace are accessed by their descriptors (capabilities/files/folder-handle.ts). Listed by first
 * digit, because Node resolves `/proc/self/fd/<n>/../vault.db` to `/proc/self/fd/vault.db`, and the system to the file
 * beside the folder.
 */
const DESCRIPTORS = process.platform === 'linux' ? Array.from('123456789', (digit) => `/proc/self/fd/${digit}*`) : [];

/** Node compares paths as text and follows links, so a folder that is a link is permitted under both of its paths. */
export function gatewayPermissions({ entry, confine, dataDir, compileCache }: GatewayPlaces): string[] {
  const root = dirname(dirname(entry));
  const read = [...CODE.map((name) => join(root, name)), ...DATA_READ_ONLY.flatMap((name) => inside(dataDir, name))];
  const own = [
    ...DATA_FOLDERS.flatMap((name) => inside(dataDir, name)),
    ...DATA_FILES.flatMap((name) => spellings(dataDir).map((folder) => join(folder, name))),
    ...(compileCache === undefined ? [] : inside(compileCache, '.')),
    ...DESCRIPTORS,
  ];
  return [
    '--permission',
    '--allow-worker',
    '--allow-child-process',
    // "must be used with extreme caution", for each thread: gateway/confine prevents other uses of both.
    '--disable-warning=PERM0006',
    '--disable-warning=PERM0002',
    `--require=${confine}`,
    ...[...read, ...inside(root, 'node_modules'), ...own].map((path) => `--allow-fs-read=${path}`),
    ...own.map((path) => `--allow-fs-write=${path}`),
  ];
}

/**
 * For a process that the gateway starts: it reads what the gateway can read, writes nothing through Node, and starts no
 * processes.
 */
export function readOnlyPermissions(own: readonly string[] = process.execArgv): string[] {
  if (!own.includes('--permission')) return [];
  const read = own.filter((flag) => flag.startsWith('--allow-fs-read='));
  return ['--permission', '--allow-worker', '--disable-warning=PERM0006', ...read];
}

/** The gateway cannot create them: it has no rights to their parent folders. */
export function makeGatewayFolders(dataDir: string): void {
  for (const name of DATA_FOLDERS) makeFolder(join(dataDir, name));
}

/** A folder of the gateway, used to query the free space on the disk of the data folder. */
export function gatewayFolder(dataDir: string): string {
  return join(dataDir, 'projects');
}

function inside(dataDir: string, name: string): string[] {
  const folders = spellings(dataDir).flatMap((folder) => spellings(join(folder, name)));
  return [...new Set(folders)].map((folder) => join(folder, '*'));
}

function spellings(path: string): string[] {
  const absolute = resolve(path);
  try {
    return [...new Set([absolute, realpathSync.native(absolute)])];
  } catch {
    return [absolute];
  }
}
