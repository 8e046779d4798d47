import type { Socket } from 'node:net';
import { connectTarget } from '#net/connect-target.ts';
import type { TargetGuard } from '#net/target-guard.ts';
import { NodeError } from '#sdk';

/**
 * Connects to a checked address within `timeoutMs`. If the address is no longer allowed later, the socket fails with
 * the refusal.
 */
export async function dial(guard: TargetGuard, host: string, port: number, timeoutMs: number): Promise<Socket> {
  const target = await guard.resolve(host, port);
  return new Promise((resolve, reject) => {
    const socket = connectTarget(target);
    guard.holdSocket(target, socket);
    const timer = setTimeout(
      () => socket.destroy(new NodeError('db_unreachable', `${host}:${port} did not answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
    socket.once('error', reject);
    socket.once('close', () => clearTimeout(timer));
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** Opens a session within `timeoutMs`; if that fails, `giveUp` cleans up. */
export async function withinConnectTime<T>(
  where: string,
  timeoutMs: number,
  opening: Promise<T>,
  giveUp: () => void,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new NodeError('db_unreachable', `${where} did not answer within ${timeoutMs} ms`));
      giveUp();
      // The pending step (a slow name server) may still open it, and nobody would close it.
      opening.then(giveUp, giveUp);
    }, timeoutMs);
  });
  opening.catch(() => undefined);
  try {
    return await Promise.race([opening, late]);
  } finally {
    clearTimeout(timer);
  }
}
