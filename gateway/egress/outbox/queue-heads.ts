import type { DeliveryParts } from './delivery-parts.ts';
import type { DeliverySchedule } from './delivery-schedule.ts';
import { RETRY_MS_MAX, WRITE_RETRY_MS } from './limits.ts';
import { isDamage } from './schema.ts';
import type { EventRow } from './store.ts';
import type { Queue } from './target.ts';

const UNREADABLE = 'the outbox cannot be read: its disk fails, or the file is damaged';

type Parts = Pick<DeliveryParts, 'store' | 'writer' | 'secrets' | 'project' | 'log'>;

/** Reads the oldest events of queues. One damaged page must not keep the other queues from being sent. */
export class QueueHeads {
  readonly #parts: Parts;
  readonly #schedule: DeliverySchedule;

  constructor(parts: Parts, schedule: DeliverySchedule) {
    this.#parts = parts;
    this.#schedule = schedule;
  }

  /** Null: the queue is empty; undefined: it cannot be read now, and the queue waits. */
  head(queue: Queue): EventRow | null | undefined {
    const { store, writer, log } = this.#parts;
    const { target } = queue;
    if (queue.mustRewind) {
      if (!writer.flush()) return this.#readLater(queue, WRITE_RETRY_MS);
      queue.rewind();
    }
    try {
      return this.#sendable(store.head(target.id, queue.key, queue.cursor));
    } catch (error) {
      if (target.setTrouble(UNREADABLE))
        log('error', 'the head of a queue cannot be read', { target: target.origin, error: String(error) });
      return this.#readLater(queue, RETRY_MS_MAX);
    }
  }

  /** The event after the head. Null also if it cannot be read: then the cause of the head's failures stays unknown. */
  peekNext({ target, key }: Queue, head: EventRow): EventRow | null {
    try {
      return this.#sendable(this.#parts.store.head(target.id, key, head.seq));
    } catch (error) {
      if (!isDamage(error)) throw error;
      return null;
    }
  }

  /** Empty if it cannot be read: the attempt reports that. */
  project({ line }: EventRow): string {
    try {
      return this.#parts.project(line);
    } catch {
      return '';
    }
  }

  /** Throws if the page with its sender config is damaged: it waits. Any other error belongs to the attempt. */
  #sendable(row: EventRow | null): EventRow | null {
    try {
      if (row !== null) this.#parts.secrets(row.line);
    } catch (error) {
      if (isDamage(error)) throw error;
    }
    return row;
  }

  #readLater(queue: Queue, delayMs: number): undefined {
    this.#schedule.hold(queue, delayMs);
    return undefined;
  }
}
