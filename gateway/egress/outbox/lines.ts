import { SluiceError } from '#common/errors/catalogue.ts';
import type { OutboxLine } from './contract.ts';
import type { Courier } from './courier.ts';
import type { Clock } from './clock.ts';
import { LINES_MAX, TARGETS_MAX } from './limits.ts';
import type { LineSecrets, OutboxStore } from './store.ts';
import { Target } from './target.ts';

interface OpenLine {
  readonly line: OutboxLine;
  /** Null = not on disk yet. */
  stored: { readonly id: number; readonly target: Target } | null;
}

export interface StoredLine {
  readonly id: number;
  readonly target: Target;
  readonly method: string;
}

/**
 * The ways that nodes hold open, by their handles, and how events of each are sent: the newest way that a node was given
 * to a target counts for what it stored before, so that a new token reaches what waits.
 */
export class Lines {
  readonly #store: OutboxStore;
  readonly #courier: Courier;
  readonly #clock: Clock;
  readonly #open = new Map<number, OpenLine>();
  readonly #secrets = new Map<number, LineSecrets>();

  constructor(store: OutboxStore, courier: Courier, clock: Clock) {
    this.#store = store;
    this.#courier = courier;
    this.#clock = clock;
  }

  open(handle: number, line: OutboxLine): void {
    if (this.#open.size >= LINES_MAX) return;
    const fresh: OpenLine = { line, stored: null };
    this.#open.set(handle, fresh);
    try {
      this.#write(fresh);
    } catch {
      // The disk takes nothing now: it is written with the first event.
    }
  }

  release(handle: number): void {
    const line = this.#open.get(handle);
    this.#open.delete(handle);
    if (line?.stored) line.stored.target.lines -= 1;
  }

  /** Throws an Error with plain words when the line cannot be written. */
  use(handle: number): StoredLine {
    const open = this.#open.get(handle);
    if (open === undefined) throw new Error(`more than ${LINES_MAX} nodes call out`);
    return { ...(open.stored ?? this.#write(open)), method: open.line.method };
  }

  /** Throws when what the file holds cannot be read. */
  secrets(id: number): LineSecrets | null {
    const known = this.#secrets.get(id);
    if (known !== undefined) return known;
    const read = this.#store.lineSecrets(id);
    if (read !== null && this.#secrets.size < LINES_MAX) this.#secrets.set(id, read);
    return read;
  }

  /** The target of an origin, made if there is none. Throws SluiceError `conflict` beyond TARGETS_MAX. */
  target(origin: string): Target {
    const known = [...this.#courier.targets.values()].find((target) => target.origin === origin);
    if (known !== undefined) return known;
    if (this.#courier.targets.size >= TARGETS_MAX)
      throw new SluiceError('conflict', `the outbox knows ${TARGETS_MAX} targets already`);
    const id = this.#store.addTarget(origin);
    const row = { id, origin, paused: false, reason: null, pausedBy: null, pausedAtMs: null, streak: 0 };
    const fresh = new Target(row, this.#clock.nowMs());
    this.#courier.targets.set(id, fresh);
    return fresh;
  }

  #write(open: OpenLine): { id: number; target: Target } {
    const { line } = open;
    const { headers, timeoutMs, tls } = line;
    const target = this.target(line.origin);
    const secrets = { headers, timeoutMs, tls };
    const id = this.#store.putLine(line, target.id, secrets);
    this.#secrets.set(id, secrets);
    target.lines += 1;
    open.stored = { id, target };
    return open.stored;
  }
}
