import type { NodeCode } from '#common/errors/node-codes.ts';
import { NodeError } from '#sdk';
import { CANCEL_MS_MAX } from './limits.ts';
import type { Limits } from './contract.ts';

/** The end of a call: its own time limit, or the end of its run. */
export interface Deadline {
  /** Rejects with `db_timeout` or `call_cancelled`; never resolves. */
  readonly over: Promise<never>;
  readonly passed: boolean;
  /** Stops the timer. */
  clear(): void;
}

export function startDeadline({ timeoutMs, signal }: Limits): Deadline {
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => undefined);
  let passed = false;
  const end = (code: NodeCode, message: string): void => {
    passed = true;
    over.reject(new NodeError(code, message));
  };
  const timedOut = () => end('db_timeout', `the database did not answer within ${Math.round(timeoutMs)} ms`);
  const cancelled = () => end('call_cancelled', 'the statement was cancelled with its run');
  const timer = setTimeout(timedOut, timeoutMs);
  if (signal.aborted) cancelled();
  else signal.addEventListener('abort', cancelled, { once: true });
  return {
    over: over.promise,
    get passed() {
      return passed;
    },
    clear() {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancelled);
    },
  };
}

/** Waits at most `ms` for a promise that may reject or never settle. */
export async function settled(work: Promise<unknown>, ms = CANCEL_MS_MAX): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const done = work.then(
    () => true,
    () => false,
  );
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}
