import { NodeError } from '#sdk';

/**
 * Until when a write may be sent, by `clockMs`; null: at any time. The conditions of a write were checked before it was
 * passed to its source, where it can wait for the thread of the drivers, for earlier requests or for a type.
 */
export type SendBefore = number | null;

/** A clock that all threads of the process share, in milliseconds. */
export function clockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Called immediately before the write is sent. Throws NodeError `interlock`. */
export function refuseLate(path: string, sendBefore: SendBefore): void {
  if (sendBefore === null || clockMs() <= sendBefore) return;
  throw new NodeError(
    'interlock',
    `a write limit of ${path} expects a write immediately after the check of its conditions; this one waited too long`,
  );
}
