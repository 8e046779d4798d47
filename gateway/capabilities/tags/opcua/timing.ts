/** Rejects with the reason of the signal if it aborts first; the result of the promise is then ignored. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Even if the signal has already aborted: a later failure must not become an unhandled rejection.
  promise.catch(() => undefined);
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Resolves when the signal aborts. */
export function abortOf(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}

/**
 * The result of `promise`, or of `late` after `ms`. When the time is over, responses that already wait in the socket
 * are read first: after a stall of this process, the peer was not late.
 */
export async function within<T, L>(promise: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  const { promise: over, resolve } = Promise.withResolvers<L>();
  let second: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    second = setImmediate(() => (second = setImmediate(() => resolve(late()))));
  }, ms);
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
    if (second !== undefined) clearImmediate(second);
    promise.catch(() => undefined);
  }
}
