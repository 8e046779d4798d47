import type { TagDefinition } from '#common/model/tag.ts';
import { NodeError } from '#sdk';
import { WRITES_PENDING_MAX } from './limits.ts';
import type { Order, WireError } from './messages.ts';

/**
 * Writes that the thread has not answered. One that was cancelled is over for its caller at once, and counts until the
 * thread has let it go. Limit: WRITES_PENDING_MAX.
 */
export class PendingWrites {
  readonly #order: (order: Order) => void;
  readonly #pending = new Map<number, (error: NodeError | null) => void>();
  #last = 0;

  constructor(order: (order: Order) => void) {
    this.#order = order;
  }

  /** Throws NodeError, or the signal's reason. */
  async write(id: number, tag: TagDefinition, value: unknown, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#pending.size >= WRITES_PENDING_MAX)
      throw new NodeError('tag_write_failed', `more than ${WRITES_PENDING_MAX} writes are waiting for devices`);
    const write = ++this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#pending.set(write, (error) => (error === null ? resolve() : reject(error)));
    const cancel = (): void => {
      this.#order({ do: 'cancel', write });
      reject(signal.reason);
    };
    signal.addEventListener('abort', cancel, { once: true });
    this.#order({ do: 'write', id, write, tag, value });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  answered(write: number, error: WireError | null): void {
    const settle = this.#pending.get(write);
    this.#pending.delete(write);
    settle?.(error === null ? null : new NodeError(error.code, error.message));
  }

  failAll(reason: string): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const settle of pending) settle(new NodeError('device_unreachable', reason));
  }
}
