import type { Message } from './payload.ts';

/**
 * Messages that wait for delivery to tags. A tag has only the latest value, so of many messages on a topic within one
 * turn only the last is parsed: a flood costs one parse per topic and turn.
 *
 * Limits: MESSAGES_PER_TURN_MAX and PENDING_BYTES_MAX, beyond which the broker waits (the next packet is not read and
 * TCP holds back the rest); READ_MS_MAX of uninterrupted parsing, before other work gets its turn.
 */
export const TURN_MS = 20;
const MESSAGES_PER_TURN_MAX = 500;
const PENDING_BYTES_MAX = 32 << 20;
const READ_MS_MAX = 10;

export class Inbox {
  readonly #deliver: (topic: string, message: Message) => void;
  readonly #pending = new Map<string, Message>();
  #bytes = 0;
  #count = 0;
  #release: (() => void) | null = null;
  #lastTurn = 0;
  #timer: NodeJS.Timeout | NodeJS.Immediate | null = null;

  constructor(deliver: (topic: string, message: Message) => void) {
    this.#deliver = deliver;
  }

  /** `payload` is kept. `next` requests the next packet; called immediately or when there is room again. */
  accept(topic: string, payload: Buffer, next: () => void): void {
    this.#take(topic);
    this.#pending.set(topic, { payload, arrived: Date.now() });
    this.#bytes += payload.length;
    this.#count++;
    this.#timer ??= setTimeout(() => this.#turn(), Math.max(0, this.#lastTurn + TURN_MS - performance.now()));
    if (this.#count < MESSAGES_PER_TURN_MAX && this.#bytes <= PENDING_BYTES_MAX) return next();
    this.#release = next;
  }

  /** Undelivered messages are dropped. */
  close(): void {
    clearTimeout(this.#timer as NodeJS.Timeout);
    clearImmediate(this.#timer as NodeJS.Immediate);
    this.#timer = null;
    this.#release = null;
    this.#pending.clear();
  }

  #turn(): void {
    this.#lastTurn = performance.now();
    const until = this.#lastTurn + READ_MS_MAX;
    for (const topic of this.#pending.keys()) {
      const message = this.#take(topic);
      if (message !== undefined) this.#deliver(topic, message);
      if (performance.now() > until) break;
    }
    this.#timer = this.#pending.size > 0 ? setImmediate(() => this.#turn()) : null;
    this.#count = 0;
    const release = this.#release;
    this.#release = null;
    release?.();
  }

  #take(topic: string): Message | undefined {
    const message = this.#pending.get(topic);
    this.#bytes -= message?.payload.length ?? 0;
    this.#pending.delete(topic);
    return message;
  }
}
