import { connect, type Socket } from 'node:net';
import type { Reading } from './reference.ts';

/** The result of one case. */
export interface Outcome {
  /** Final statuses in order. */
  readonly statuses: readonly number[];
  /** The gateway has said and done nothing for too long. */
  readonly hung: boolean;
  /** It waited for more where the reference had already refused. */
  readonly waited: boolean;
  /** The socket was reset under an answer, or before one. */
  readonly reset: boolean;
}

export interface Where {
  readonly port: number;
  readonly localAddress: string;
}

/** A refusal comes at once; what does not come by then waits for bytes, which the caller's end then denies it. */
const PATIENCE_MS = 250;
/** Above the gateway's own 5 s for a head and the second for which a refused socket lingers. */
const HUNG_MS = 9000;
const STATUS = /HTTP\/1\.1 ([2-5]\d\d) /g;

/** Sends the parts over a socket of its own and waits for all that may come. */
export function sendCase(parts: readonly Buffer[], reading: Reading, where: Where): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect({ ...where, host: '127.0.0.1', noDelay: true });
    let received = '';
    let waited = false;
    let reset = false;
    let statuses: number[] = [];
    const hung = setTimeout(() => done(true), HUNG_MS);
    const impatient = setTimeout(() => {
      waited = reading.end === 'refused' || reading.end === 'closed';
      socket.end();
    }, PATIENCE_MS);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      statuses = [...received.matchAll(STATUS)].map((match) => Number(match[1]));
      // All that it may run is answered: its own end ends it, if nothing else does.
      if (statuses.length >= reading.permitted && (reading.end === 'clean' || reading.end === 'incomplete'))
        socket.end();
    });
    socket.on('error', () => (reset = true));
    socket.on('end', () => done(false));
    socket.on('close', () => done(false));
    socket.on('connect', () => sendParts(socket, parts));
    if (reading.permitted === 0 && reading.end === 'clean') socket.once('connect', () => socket.end());

    function done(isHung: boolean): void {
      clearTimeout(hung);
      clearTimeout(impatient);
      // No port stays behind in TIME_WAIT.
      socket.resetAndDestroy();
      resolve({ statuses, hung: isHung, waited, reset });
    }
  });
}

function sendParts(socket: Socket, parts: readonly Buffer[]): void {
  const [first, ...rest] = parts;
  if (!first || socket.destroyed || socket.writableEnded) return;
  socket.write(first);
  if (rest.length > 0) setImmediate(() => sendParts(socket, rest));
}
