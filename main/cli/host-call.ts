import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { isErrorCode, SluiceError } from '#common/errors/catalogue.ts';
import { type ByteReader, createByteReader } from '../host/byte-reader.ts';
import { controlAddress, isOwnFolder } from '../host/control-address.ts';
import { unframed } from '../host/frames.ts';
import { entryAt } from './entry-at.ts';
import { PlainError } from './plain-error.ts';

const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const NOBODY = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK']);

/** Bytes of files: this process reads and writes them, because the host may have no access to their folder. */
export interface Bytes {
  /** Sent with the request. */
  body?: Uint8Array;
  /** Stores the bytes of the response; resolves when they are flushed to their place. */
  keep?: (chunks: AsyncIterable<Uint8Array>) => Promise<void>;
}

/**
 * Calls the host that is running on this data folder; null if there is none. Waits as long as the host works: a
 * verification of a full journal takes minutes, and Ctrl-C ends the wait.
 */
export async function askHost(
  dataDir: string,
  request: Readonly<Record<string, unknown>>,
  { body, keep }: Bytes = {},
): Promise<{ value: unknown } | null> {
  const { path, folder } = controlAddress(dataDir);
  // A host of this user cannot listen in the folder of another user.
  if (folder !== null && !isOwnFolder(folder)) return null;
  const socket = await connected(path);
  if (socket === null) return null;
  try {
    const reader = createByteReader(incoming(socket));
    socket.write(`${JSON.stringify({ ...request, ...(body && { bodyBytes: body.length }) })}\n`);
    if (body) socket.write(body);
    const first = await readLine(reader);
    if (!('bytes' in first)) return valueOf(first);
    if (!keep) throw unreadable();
    await keep(unframed(reader, async () => errorOf(await readLine(reader))));
    socket.write('{"kept":true}\n');
    return valueOf(await readLine(reader));
  } finally {
    socket.destroy();
  }
}

/** Null: nobody listens there. */
async function connected(path: string): Promise<Socket | null> {
  const socket = createConnection({ path });
  try {
    await once(socket, 'connect');
    // From now on, the reader handles errors of the connection.
    socket.on('error', () => {});
    return socket;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== undefined && NOBODY.has(code)) return null;
    // An inaccessible folder results in its own error.
    if (code === 'EACCES') entryAt(path);
    if (code === 'EACCES')
      throw new PlainError('Sluice runs on this data folder as another user; run the command as that user, or as root');
    throw new PlainError(`the running Sluice cannot be reached: ${message}`);
  }
}

async function* incoming(socket: Socket): AsyncGenerator<Uint8Array> {
  const ended = 'the running Sluice ended before it responded';
  try {
    yield* socket;
  } catch (cause) {
    throw new PlainError(ended, { cause });
  }
  throw new PlainError(ended);
}

async function readLine(reader: ByteReader): Promise<object> {
  const line = await reader.line(ANSWER_BYTES_MAX);
  const answer: unknown = JSON.parse(line);
  if (typeof answer !== 'object' || answer === null) throw unreadable();
  return answer;
}

function valueOf(answer: object): { value: unknown } {
  if ('value' in answer) return { value: answer.value };
  throw errorOf(answer);
}

function errorOf(answer: object): Error {
  const error = 'error' in answer ? answer.error : null;
  if (typeof error === 'object' && error !== null && 'detail' in error && 'code' in error && isErrorCode(error.code))
    return new SluiceError(error.code, String(error.detail));
  return unreadable();
}

function unreadable(): PlainError {
  return new PlainError('the running Sluice sent a response that cannot be read');
}
