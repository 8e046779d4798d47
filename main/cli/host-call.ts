import { createConnection } from 'node:net';
import { CATALOGUE, SluiceError, type ErrorCode } from '#common/errors/catalogue.ts';
import { controlAddress } from '../host/control-address.ts';
import { PlainError } from './plain-error.ts';

const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const NOBODY = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK']);

/**
 * Asks the host that runs on this data folder; null when none does. Waits as long as the host works: a verification
 * of a full journal takes minutes, and Ctrl-C ends the waiting.
 */
export async function askHost(
  dataDir: string,
  request: Readonly<Record<string, unknown>>,
): Promise<{ value: unknown } | null> {
  const line = await exchange(controlAddress(dataDir).path, JSON.stringify(request) + '\n');
  if (line === null) return null;
  const answer: unknown = JSON.parse(line);
  if (typeof answer !== 'object' || answer === null)
    throw new PlainError('the running Sluice sent an answer that cannot be read');
  if ('value' in answer) return { value: answer.value };
  const error = 'error' in answer ? answer.error : null;
  if (typeof error === 'object' && error !== null && 'detail' in error && 'code' in error && isErrorCode(error.code)) {
    throw new SluiceError(error.code, String(error.detail));
  }
  throw new PlainError('the running Sluice sent an answer that cannot be read');
}

function exchange(path: string, text: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = createConnection({ path });
    socket.setEncoding('utf8');
    socket.once('connect', () => socket.write(text));
    socket.on('data', (chunk: string) => {
      answer += chunk;
      if (answer.length > ANSWER_BYTES_MAX) socket.destroy(new Error('the answer is too long'));
    });
    socket.once('end', () => {
      if (answer.endsWith('\n')) resolve(answer.slice(0, -1));
      else reject(new PlainError('the running Sluice ended before it had answered'));
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== undefined && NOBODY.has(error.code)) resolve(null);
      else if (error.code === 'EACCES')
        reject(new PlainError('Sluice runs on this data folder as another user; run the command as that user'));
      else reject(new PlainError(`the running Sluice cannot be reached: ${error.message}`));
    });
  });
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(CATALOGUE, code);
}
