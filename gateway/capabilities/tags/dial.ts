import type { Socket } from 'node:net';
import { connectTarget } from '#net/connect-target.ts';
import type { Target, TargetGuard } from '#net/target-guard.ts';
import { NodeError } from '#sdk';

/** A device cannot be reached or was lost; the message is the reason that tags show. */
export class ConnectionLost extends Error {
  constructor(reason: string, options?: { cause?: unknown }) {
    super(reason, options);
    this.name = 'ConnectionLost';
  }

  /** The error code of a failed write. */
  get code(): 'target_refused' | 'device_unreachable' {
    return isRefusal(this.cause) ? 'target_refused' : 'device_unreachable';
  }
}

/** The guard refuses the address, whatever the device does. */
export function isRefusal(error: unknown): error is NodeError {
  return error instanceof NodeError && error.code === 'target_refused';
}

export interface Peer {
  readonly host: string;
  readonly port: number;
}

/** `10.0.0.7:502`, `[fd00::7]:502`. */
export function whereIs({ host, port }: Peer): string {
  return host.includes(':') ? `[${host.replaceAll(/[[\]]/g, '')}]:${port}` : `${host}:${port}`;
}

export function noAnswer(peer: Peer, ms: number): string {
  return `no answer from ${whereIs(peer)} within ${(ms / 1000).toLocaleString('en')} s`;
}

/**
 * A paused TCP connection to the address that the guard has checked. `limitMs` covers name resolution and connection
 * together. Its error is NodeError `target_refused` when the address is no longer allowed. Throws ConnectionLost; the
 * reason of the signal if that aborts.
 */
export async function dial(guard: TargetGuard, peer: Peer, limitMs: number, signal: AbortSignal): Promise<Socket> {
  const limit = AbortSignal.timeout(limitMs);
  const both = AbortSignal.any([signal, limit]);
  try {
    const target = await abortable(guard.resolve(peer.host, peer.port), both);
    return await open(guard, target, both);
  } catch (cause) {
    signal.throwIfAborted();
    throw new ConnectionLost(limit.aborted ? noAnswer(peer, limitMs) : whyNot(peer, cause), { cause });
  }
}

/** The meaning of a socket error, in plain text instead of the operating system's if possible. */
export function whyNot(peer: Peer, cause: unknown): string {
  if (cause instanceof NodeError || cause instanceof ConnectionLost) return cause.message;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  switch (code) {
    case 'ECONNREFUSED':
      return `${whereIs(peer)} refuses the connection`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `${whereIs(peer)} closed the connection`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `there is no way to ${whereIs(peer)}`;
    default:
      return `the connection to ${whereIs(peer)} failed${code === '' ? '' : ` (${code})`}`;
  }
}

function open(guard: TargetGuard, target: Target, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTarget(target);
    guard.holdSocket(target, socket);
    const abort = () => socket.destroy(new Error('aborted'));
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    socket.once('error', reject);
    // A destroyed socket may close without an error.
    const closed = () => reject(new Error('closed'));
    socket.once('close', closed);
    socket.once('connect', () => {
      signal.removeEventListener('abort', abort);
      socket.off('error', reject).off('close', closed);
      resolve(socket);
    });
  });
}

/** Rejects immediately with the reason of the signal; the promise itself continues and its result is ignored. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const settled = () => signal.removeEventListener('abort', abort);
    promise.then(resolve, reject).finally(settled);
  });
}
