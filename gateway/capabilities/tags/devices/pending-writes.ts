import type { TagDefinition } from '#common/model/tag.ts';
import { NodeError } from '#sdk';
import { WRITES_PENDING_MAX, WRITES_PENDING_PER_PROJECT_MAX } from './limits.ts';
import type { Order, WireError } from './messages.ts';

/**
 * Writes that the thread has not answered. One that was cancelled is over for its caller at once, and counts until the
 * thread has let it go. Limits: WRITES_PENDING_MAX, of one project WRITES_PENDING_PER_PROJECT_MAX.
 */
export class PendingWrites {
  readonly #order: (order: Order) => void;
  readonly #pending = new Map<number, { project: string; settle: (error: NodeError | null) => void }>();
  readonly #byProject = new Map<string, number>();
  #last = 0;

  constructor(order: (order: Order) => void) {
    this.#order = order;
  }

  /** Throws NodeError, or the signal's reason. */
  async write(
    { id, project }: { id: number; project: string },
    tag: TagDefinition,
    value: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    this.#refuse(project);
    const write = ++this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#pending.set(write, { project, settle: (error) => (error === null ? resolve() : reject(error)) });
    this.#byProject.set(project, (this.#byProject.get(project) ?? 0) + 1);
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

  #refuse(project: string): void {
    if (this.#pending.size >= WRITES_PENDING_MAX)
      throw new NodeError('tag_write_failed', `more than ${WRITES_PENDING_MAX} writes are waiting for devices`);
    if ((this.#byProject.get(project) ?? 0) < WRITES_PENDING_PER_PROJECT_MAX) return;
    const text = `more than ${WRITES_PENDING_PER_PROJECT_MAX} writes of the project "${project}" are waiting for devices`;
    throw new NodeError('tag_write_failed', text);
  }

  answered(write: number, error: WireError | null): void {
    const pending = this.#pending.get(write);
    if (pending === undefined) return;
    this.#pending.delete(write);
    const left = (this.#byProject.get(pending.project) ?? 1) - 1;
    if (left === 0) this.#byProject.delete(pending.project);
    else this.#byProject.set(pending.project, left);
    pending.settle(error === null ? null : new NodeError(error.code, error.message));
  }

  failAll(reason: string): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    this.#byProject.clear();
    for (const { settle } of pending) settle(new NodeError('device_unreachable', reason));
  }
}
