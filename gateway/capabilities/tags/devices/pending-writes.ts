import { PendingRequests } from '#common/node/pending-requests.ts';
import { NodeError } from '#sdk';
import { WRITES_PENDING_MAX, WRITES_PENDING_PER_PROJECT_MAX } from './limits.ts';
import type { TagWrite } from './device-proxy.ts';
import type { Order, WireError } from './messages.ts';

/**
 * Writes that the thread has not answered. A cancelled write rejects immediately, and still counts until the thread has
 * finished it. Limits: WRITES_PENDING_MAX, WRITES_PENDING_PER_PROJECT_MAX per project.
 */
export class PendingWrites {
  readonly #order: (order: Order) => void;
  /** Each with its project. */
  readonly #pending = new PendingRequests<void, string>();
  readonly #byProject = new Map<string, number>();

  constructor(order: (order: Order) => void) {
    this.#order = order;
  }

  /** Throws NodeError, or the signal's reason. */
  async write(
    { id, project }: { id: number; project: string },
    { tag, value, sendBefore }: TagWrite,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    this.#refuse(project);
    const { id: write, promise, reject } = this.#pending.add(project);
    this.#byProject.set(project, (this.#byProject.get(project) ?? 0) + 1);
    const cancel = (): void => {
      this.#order({ do: 'cancel', write });
      reject(signal.reason);
    };
    signal.addEventListener('abort', cancel, { once: true });
    this.#order({ do: 'write', id, write, tag, value, sendBefore });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  #refuse(project: string): void {
    if (this.#pending.size >= WRITES_PENDING_MAX)
      throw new NodeError('tag_write_failed', `more than ${WRITES_PENDING_MAX} writes are waiting for devices`);
    if ((this.#byProject.get(project) ?? 0) < WRITES_PENDING_PER_PROJECT_MAX) return;
    const text = `more than ${WRITES_PENDING_PER_PROJECT_MAX} writes of the project "${project}" are waiting for devices`;
    throw new NodeError('tag_write_failed', text);
  }

  answered(write: number, error: WireError | null): void {
    const pending = this.#pending.take(write);
    if (pending === undefined) return;
    const left = (this.#byProject.get(pending.info) ?? 1) - 1;
    if (left === 0) this.#byProject.delete(pending.info);
    else this.#byProject.set(pending.info, left);
    if (error === null) pending.resolve();
    else pending.reject(new NodeError(error.code, error.message));
  }

  failAll(reason: string): void {
    this.#byProject.clear();
    this.#pending.rejectAll(() => new NodeError('device_unreachable', reason));
  }
}
