import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { maskKeys } from '#common/api-key.ts';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Logger } from '#common/node/log.ts';
import { writeOut } from '../admin-api/write-out.ts';
import { ARCHIVE_BYTES_MAX } from '../third-party/read-package.ts';
import { type ByteReader, createByteReader } from './byte-reader.ts';
import { controlAddress, isOwnFolder } from './control-address.ts';
import { framed } from './frames.ts';

/**
 * The connection from the command line to a running host (docs/spec/operation.md#commands): a local socket that only
 * its user can open. Bytes of files are sent over it too, because the service may have no access to the folders of the
 * calling user (because of its unit).
 *
 * Protocol: one JSON line in (`{ "command": …, … }`; with `"bodyBytes": n`, n bytes follow it), one JSON line out (`{
 * "value": … }` or `{ "error": { code, detail } }`), then the end. Where a command gives bytes, a line `{ "bytes": true
 * }` and frames (frames.ts) come before that, and the other side confirms them with `{ "kept": true }` once it has
 * stored them.
 *
 * Limits: a request's line has 64 KiB and 5 s to arrive, its bytes 20 MiB and 60 s; 8 connections at once. A reader may
 * pause for a minute, and has 10 minutes to flush the data.
 *
 * Security: a user who can open the socket owns the data folder and could do the same with the files when no host is
 * running. The file is made with mode 0600 by the process's umask and set once more; the folder is 0700 and ours. No
 * paths are sent over it, and the host opens none.
 */
export type ControlHandler = (request: Readonly<Record<string, unknown>>, exchange: Exchange) => Promise<unknown>;

/** The bytes that are exchanged in addition to the two lines. */
export interface Exchange {
  /** Bytes that came with the request; none is empty. */
  readonly body: Uint8Array;
  /** Sends bytes to the caller; settles when they are stored there. At most once. */
  send(chunks: AsyncIterable<Uint8Array>): Promise<void>;
}

const REQUEST_BYTES_MAX = 64 * 1024;
const REQUEST_MS_MAX = 5_000;
const BODY_BYTES_MAX = ARCHIVE_BYTES_MAX;
const BODY_MS_MAX = 60_000;
const KEPT_MS_MAX = 10 * 60_000;
const KEPT_BYTES_MAX = 256;
const CONNECTIONS_MAX = 8;

export interface ControlSocket {
  close(): Promise<void>;
}

/** The caller holds the lock of the data folder, so an existing socket file belongs to a crashed host. */
export async function openControlSocket(dataDir: string, handler: ControlHandler, log: Logger): Promise<ControlSocket> {
  const { path, folder } = controlAddress(dataDir);
  if (folder) makeOwnFolder(folder);
  if (process.platform !== 'win32') rmSync(path, { force: true });
  const server = createServer((socket) => void serve(socket, handler, log));
  server.maxConnections = CONNECTIONS_MAX;
  await listen(server, path);
  if (process.platform !== 'win32') chmodSync(path, 0o600);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOwnFolder(folder)) throw new Error(`${folder} is not a folder that only this user can open`);
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function serve(socket: Socket, handler: ControlHandler, log: Logger): Promise<void> {
  socket.on('error', () => socket.destroy());
  const reader = createByteReader(socket);
  try {
    const { request, body } = await asked(reader, socket);
    const line = await answer(async () => handler(request(), { body, send: sender(reader, socket) }), log);
    socket.end(`${line}\n`, () => socket.destroy());
  } catch {
    // It disconnected, was too slow or exceeded a limit: no response is possible.
    socket.destroy();
  }
}

/** The request must be read here, where its errors are handled. Throws if a limit is exceeded. */
async function asked(
  reader: ByteReader,
  socket: Socket,
): Promise<{ request: () => Record<string, unknown>; body: Uint8Array }> {
  const line = await within(REQUEST_MS_MAX, socket, reader.line(REQUEST_BYTES_MAX));
  const value = parsed(line);
  const { bodyBytes = 0, ...rest } = value ?? {};
  if (!isBodySize(bodyBytes)) throw new Error('the request announces more bytes than are taken');
  const body = await within(BODY_MS_MAX, socket, reader.take(bodyBytes));
  return { request: () => expectObject(value === null ? null : rest), body };
}

function isBodySize(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= BODY_BYTES_MAX;
}

/** A late socket is destroyed, which ends reading from it. */
async function within<T>(ms: number, socket: Socket, reading: Promise<T>): Promise<T> {
  const timer = setTimeout(() => socket.destroy(), ms);
  try {
    return await reading;
  } finally {
    clearTimeout(timer);
  }
}

function sender(reader: ByteReader, socket: Socket): Exchange['send'] {
  return async (chunks) => {
    let failed: Error | null = null;
    socket.write('{"bytes":true}\n');
    await writeOut(
      framed(chunks, (error) => (failed = error)),
      socket,
    );
    if (failed !== null) throw failed as Error;
    const line = await within(KEPT_MS_MAX, socket, reader.line(KEPT_BYTES_MAX)).catch(() => '');
    if (parsed(line)?.['kept'] !== true)
      throw new SluiceError('conflict', 'The bytes were sent, but the receiver did not keep them.');
  };
}

async function answer(perform: () => Promise<unknown>, log: Logger): Promise<string> {
  try {
    return JSON.stringify({ value: (await perform()) ?? null });
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code === 'internal') log.error('a command failed', { error });
    return JSON.stringify({ error: failure(error) });
  }
}

function expectObject(value: Record<string, unknown> | null): Record<string, unknown> {
  if (value === null) throw new SluiceError('invalid', 'expected one JSON object');
  return value;
}

/** Null: not a JSON object. */
function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function failure(error: unknown): { code: ErrorCode; detail: string } {
  if (error instanceof SluiceError) return { code: error.code, detail: maskKeys(error.message) };
  return { code: 'internal', detail: 'An internal error occurred in Sluice; its log has the cause.' };
}
