import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parse } from 'secure-json-parse';
import { Parser, type ReadEntry } from 'tar';
import { SluiceError } from '#common/errors/catalogue.ts';
import { fieldErrors } from '#common/model/fields.ts';
import {
  PLUGIN_BYTES_MAX,
  PLUGIN_FILES_MAX,
  PLUGIN_MANIFEST_FILE,
  type PluginManifest,
  pluginManifest,
} from '#common/model/plugin-manifest.ts';

/**
 * A third-party plugin as it is uploaded: a `.tgz` as created by `npm pack` (docs/spec/sandbox.md#plugins), or by
 * pack-folder.ts from a folder. It is read completely into memory and checked before anything of it is stored; nothing
 * of it is run here.
 *
 * Limits: number of files, bytes of all files together, bytes of the archive; a compressed file cannot exceed them.
 * Security: regular files only, plain names only. A name with `..`, a link or a device is refused, not skipped, because
 * it is a sign of an attack.
 */
export interface PluginPackage {
  readonly manifest: PluginManifest;
  /** By path within the plugin, with `/` between names. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** SHA-256 of each file, hex, by path. */
  readonly hashes: Readonly<Record<string, string>>;
  /** SHA-256 over all paths and hashes: the subject of an approval. */
  readonly digest: string;
}

const PACKAGE_FILE = 'package.json';
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;
export const DEPTH_MAX = 5;
export const ARCHIVE_BYTES_MAX = PLUGIN_BYTES_MAX;

/** Each file has a header and is padded to the next 512 bytes; long names have a separate header. */
const UNZIPPED_BYTES_MAX = PLUGIN_BYTES_MAX + 1024 * 1024;
/** Magic numbers of gzip and Zstandard. */
const COMPRESSED: readonly (readonly number[])[] = [
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
];

type Files = Map<string, Uint8Array>;

/** Throws SluiceError `invalid`. */
export async function readArchive(bytes: Uint8Array): Promise<PluginPackage> {
  if (bytes.byteLength > ARCHIVE_BYTES_MAX) throw tooLarge();
  return checkPackage(withoutTopFolder(await unpack(await unzip(bytes))));
}

/** Limited and asynchronous, unlike the parser's own decompression. */
async function unzip(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: UNZIPPED_BYTES_MAX });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw unreadable(error);
  }
}

function unpack(bytes: Uint8Array): Promise<Files> {
  const files: Files = new Map();
  const { promise, resolve, reject } = Promise.withResolvers<Files>();
  const fail = (error: unknown): void => reject(error instanceof SluiceError ? error : unreadable(error));
  // Compressed data would be decompressed without limits.
  if (COMPRESSED.some((magic) => magic.every((byte, index) => bytes[index] === byte))) throw unreadable();
  const parser = new Parser({ strict: true, onReadEntry: (entry) => collect(entry, files, fail) });
  parser.on('error', fail);
  parser.on('end', () => resolve(files));
  try {
    parser.end(Buffer.from(bytes));
  } catch (error) {
    fail(error);
  }
  return promise;
}

function collect(entry: ReadEntry, files: Files, fail: (error: unknown) => void): void {
  const chunks: Buffer[] = [];
  entry.on('data', (chunk: Buffer) => chunks.push(chunk));
  entry.on('end', () => {
    try {
      if (entry.type === 'Directory') return;
      if (entry.type !== 'File' && entry.type !== 'OldFile')
        throw refuse(`${entry.path.slice(0, 200)} is a ${entry.type}; expected regular files only`);
      add(files, entry.path, Buffer.concat(chunks));
    } catch (error) {
      fail(error);
    }
  });
  if (bytesOf(files) + entry.size > PLUGIN_BYTES_MAX) fail(tooLarge());
  entry.resume();
}

/** `npm pack` puts everything in the folder `package`; other tools in one of the plugin's name. */
function withoutTopFolder(files: Files): Files {
  if (files.has(PLUGIN_MANIFEST_FILE)) return files;
  const tops = new Set([...files.keys()].map((path) => path.split('/', 1)[0] ?? ''));
  const [top = ''] = tops;
  if (tops.size !== 1 || !files.has(`${top}/${PLUGIN_MANIFEST_FILE}`)) return files;
  return new Map([...files].map(([path, bytes]) => [path.slice(top.length + 1), bytes]));
}

function add(files: Files, path: string, bytes: Uint8Array): void {
  const names = path.split('/');
  if (names.length > DEPTH_MAX + 1 || !names.every((name) => NAME.test(name)))
    throw refuse(`"${path.slice(0, 200)}" is not a file name that a plugin may have`);
  if (files.has(path)) throw refuse(`${path} is there twice`);
  if (files.size >= PLUGIN_FILES_MAX)
    throw refuse(`it has more than ${PLUGIN_FILES_MAX} files; expected one bundled file`);
  files.set(path, bytes);
  if (bytesOf(files) > PLUGIN_BYTES_MAX) throw tooLarge();
}

function bytesOf(files: Files): number {
  return files.values().reduce((sum, bytes) => sum + bytes.byteLength, 0);
}

function checkPackage(files: Files): PluginPackage {
  const manifest = readManifest(files);
  if (!files.has(manifest.main))
    throw refuse(`the manifest names ${manifest.main} as its main file, which is not there`, undefined, 'main');
  const foreign = manifest.kinds.findIndex(({ id }) => id !== manifest.id && !id.startsWith(`${manifest.id}-`));
  if (foreign >= 0)
    throw refuse(
      `expected the kind's id to be "${manifest.id}" or to begin with "${manifest.id}-"`,
      undefined,
      `kinds.${foreign}.id`,
    );
  const hashes = Object.fromEntries([...files].map(([path, bytes]) => [path, sha256(bytes)]));
  const lines = Object.keys(hashes)
    .toSorted()
    .map((path) => `${path}\0${hashes[path]}\n`);
  return { manifest, files, hashes, digest: sha256(Buffer.from(lines.join(''))) };
}

function readManifest(files: Files): PluginManifest {
  const bytes = files.get(PLUGIN_MANIFEST_FILE);
  if (bytes === undefined) throw refuse(`there is no ${PLUGIN_MANIFEST_FILE}`);
  const result = pluginManifest.safeParse(withVersion(readJson(bytes, PLUGIN_MANIFEST_FILE), files));
  if (result.success) return result.data;
  const errors = fieldErrors(result.error);
  const [first] = errors;
  throw new SluiceError('invalid', `The plugin's manifest is not valid: ${first?.path}: ${first?.message}.`, {
    errors,
  });
}

/** `npm pack` names the archive after package.json: its version is used, and the manifest need not repeat it. */
function withVersion(manifest: unknown, files: Files): unknown {
  const bytes = files.get(PACKAGE_FILE);
  if (bytes === undefined || !isObject(manifest)) return manifest;
  const described = readJson(bytes, PACKAGE_FILE);
  if (!isObject(described) || described['version'] === undefined) return manifest;
  const { version = described['version'] } = manifest;
  if (version !== described['version']) throw refuse(twoVersions(version, described['version']), undefined, 'version');
  return { ...manifest, version };
}

function twoVersions(ours: unknown, packaged: unknown): string {
  const [first, second] = [ours, packaged].map((version) => JSON.stringify(version).slice(0, 20));
  return `its version is ${first} in ${PLUGIN_MANIFEST_FILE} and ${second} in ${PACKAGE_FILE}; leave it out of ${PLUGIN_MANIFEST_FILE}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readJson(bytes: Uint8Array, name: string): unknown {
  try {
    return parse(Buffer.from(bytes).toString('utf8')) as unknown;
  } catch (cause) {
    throw refuse(`${name} is not JSON`, cause);
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function unreadable(cause?: unknown): SluiceError {
  return refuse('the archive cannot be read; expected a .tgz as "npm pack" makes it', cause);
}

export function tooLarge(): SluiceError {
  return refuse(`it is larger than ${PLUGIN_BYTES_MAX / 1024 / 1024} MiB`);
}

export function refuse(reason: string, cause?: unknown, path = ''): SluiceError {
  const message = `The plugin cannot be added: ${reason}.`;
  return new SluiceError('invalid', message, {
    errors: [{ path, message: reason }],
    ...(cause !== undefined && { cause }),
  });
}
