import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { maskKeys } from '#common/api-key.ts';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Logger } from '#common/node/log.ts';
import { controlAddress } from './control-address.ts';

/**
 * The command line's way into a running host (behaviour 14): a local socket that only its user can open.
 *
 * Protocol: one JSON line in (`{ "command": …, … }`), one JSON line out (`{ "value": … }` or `{ "error": { code,
 * detail } }`), then the end.
 *
 * Limits: a request has 64 KiB and 5 s to arrive, 8 connections at once.
 *
 * Security: who can open the socket owns the data folder and could do all of this to the files when no host runs.
 * The file is made with mode 0600 by the process's umask and set once more; the folder is 0700 and ours.
 */
export type ControlHandler = (request: Readonly<Record<string, unknown>>) => Promise<unknown>;

const REQUEST_BYTES_MAX = 64 * 1024;
const REQUEST_MS_MAX = 5_000;
const CONNECTIONS_MAX = 8;

export interface ControlSocket {
  close(): Promise<void>;
}

/** The caller holds the data folder's lock, so a socket file that is there already is a crashed host's. */
export async function openControlSocket(dataDir: string, handler: ControlHandler, log: Logger): Promise<ControlSocket> {
  const { path, folder } = controlAddress(dataDir);
  if (folder) makeOwnFolder(folder);
  if (process.platform !== 'win32') rmSync(path, { force: true });
  const server = createServer((socket) => serve(socket, handler, log));
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
  const entry = lstatSync(folder);
  if (!entry.isDirectory() || entry.uid !== userInfo().uid || (entry.mode & 0o077) !== 0) {
    throw new Error(`${folder} is not a folder that only this user can open`);
  }
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

function serve(socket: Socket, handler: ControlHandler, log: Logger): void {
  let text = '';
  const timer = setTimeout(() => socket.destroy(), REQUEST_MS_MAX);
  socket.setEncoding('utf8');
  socket.on('error', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
  const take = (chunk: string) => {
    text += chunk;
    if (text.length > REQUEST_BYTES_MAX) return void socket.destroy();
    const end = text.indexOf('\n');
    if (end < 0) return;
    clearTimeout(timer);
    socket.off('data', take);
    void answer(text.slice(0, end), handler, log).then((line) => socket.end(line + '\n'));
  };
  socket.on('data', take);
}

async function answer(line: string, handler: ControlHandler, log: Logger): Promise<string> {
  try {
    return JSON.stringify({ value: (await handler(request(line))) ?? null });
  } catch (error) {
    if (!(error instanceof SluiceError)) log.error('a command failed', { error });
    return JSON.stringify({ error: failure(error) });
  }
}

function request(line: string): Record<string, unknown> {
  const value = parsed(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SluiceError('invalid', 'expected one JSON object');
  return { ...value };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function failure(error: unknown): { code: ErrorCode; detail: string } {
  if (error instanceof SluiceError) return { code: error.code, detail: maskKeys(error.message) };
  return { code: 'internal', detail: 'Something went wrong inside Sluice; its log has the cause.' };
}
