import { connect, type Socket } from 'node:net';
import type { Reading } from './reference.ts';

/** The result of one case. */
export interface Outcome {
  /** Final statuses in order. */
  readonly statuses: readonly number[];
  /** The gateway has been silent for too long. */
  readonly hung: boolean;
  /** It waited for more data where the reference had already refused. */
  readonly waited: boolean;
  /** The socket was reset during a response, or before one. */
  readonly reset: boolean;
}

export interface Where {
  readonly port: number;
  readonly localAddress: string;
}

/** A refusal is sent immediately; otherwise the gateway waits for bytes, until the caller ends its side. */
const PATIENCE_MS = 250;
/** Above the gateway's own 5 s for a head and the second for which a refused socket lingers. */
const HUNG_MS = 9000;
const STATUS = /HTTP\/1\.1 ([2-5]\d\d) /g;

/** Sends the parts over a separate socket and waits for all responses. */
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
      // All allowed requests are answered: the caller's end closes it, if nothing else does.
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
      // Leaves no port in TIME_WAIT.
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
