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

/** Bytes of files: this process reads and writes them, since the host may not see where they lie. */
export interface Bytes {
  /** Sent with the request. */
  body?: Uint8Array;
  /** Keeps what comes with the answer; resolves when it is flushed to its place. */
  keep?: (chunks: AsyncIterable<Uint8Array>) => Promise<void>;
}

/**
 * Asks the host that runs on this data folder; null when none does. Waits as long as the host works: a verification
 * of a full journal takes minutes, and Ctrl-C ends the waiting.
 */
export async function askHost(
  dataDir: string,
  request: Readonly<Record<string, unknown>>,
  { body, keep }: Bytes = {},
): Promise<{ value: unknown } | null> {
  const { path, folder } = controlAddress(dataDir);
  // No host of ours listens in a folder of somebody else's.
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
    // A folder that this user may not enter says so itself.
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
