import { SluiceError } from '#common/errors/catalogue.ts';
import type { OutboxLine } from './contract.ts';
import type { DeliveryDispatcher } from './delivery-dispatcher.ts';
import type { Clock } from './clock.ts';
import { LINES_MAX, TARGETS_MAX } from './limits.ts';
import type { OutboxShares } from './shares.ts';
import type { LineSecrets, OutboxStore } from './store.ts';
import { isDamage } from './schema.ts';
import { Target } from './target.ts';

const DAMAGED = 'outbox.sqlite is damaged where it says how events are sent: what needs that waits in it';

interface OpenLine {
  readonly line: OutboxLine;
  /** Null: not on disk yet. */
  stored: { readonly id: number; readonly target: Target; readonly secrets: LineSecrets } | null;
}

export interface StoredSenderConfig {
  readonly id: number;
  readonly target: Target;
  readonly method: string;
  readonly project: string;
}

/**
 * The sender configs that nodes hold open, by their handles. Of the configs for one target, the newest open one, or
 * else the last open one, applies to everything that it stored before, so that a new token is also used for waiting
 * events.
 */
export class SenderConfigs {
  readonly #store: OutboxStore;
  readonly #dispatcher: DeliveryDispatcher;
  readonly #shares: OutboxShares;
  readonly #clock: Clock;
  readonly #open = new Map<number, OpenLine>();
  readonly #secrets = new Map<number, LineSecrets>();
  /** For each requested line. */
  readonly #projects = new Map<number, string>();
  /** Lines with a damaged page, by the requested part. */
  readonly #damaged = new Set<string>();
  readonly #onDamage: (reason: string) => void;

  /** `onDamage` is called when the first damaged line is found. */
  constructor(
    store: OutboxStore,
    dispatcher: DeliveryDispatcher,
    shares: OutboxShares,
    clock: Clock,
    onDamage: (reason: string) => void,
  ) {
    this.#store = store;
    this.#shares = shares;
    this.#dispatcher = dispatcher;
    this.#clock = clock;
    this.#onDamage = onDamage;
  }

  /** Why events cannot be sent or stored; null: no problem with the file is known. */
  get trouble(): string | null {
    return this.#damaged.size === 0 ? null : DAMAGED;
  }

  open(handle: number, line: OutboxLine): void {
    if (this.#open.size >= LINES_MAX) return;
    const fresh: OpenLine = { line, stored: null };
    this.#open.set(handle, fresh);
    try {
      this.#write(handle, fresh);
    } catch {
      // The disk accepts nothing now: it is written with the first event.
    }
  }

  release(handle: number): void {
    const line = this.#open.get(handle);
    this.#open.delete(handle);
    this.#damaged.delete(`open ${handle}`);
    if (!line?.stored) return;
    line.stored.target.changeSenders(-1);
    this.#shares.lines({ project: line.line.project, target: line.stored.target.id }, -1);
    this.#fallBack(line.stored.id);
  }

  /** A revision that did not start had the newest config for a moment; that of the running one applies again. */
  #fallBack(id: number): void {
    const left = [...this.#open.values()].findLast(({ stored }) => stored?.id === id);
    if (!left?.stored || this.#secrets.get(id) === left.stored.secrets) return;
    this.#secrets.set(id, left.stored.secrets);
    try {
      this.#store.putLine(left.line, left.stored.target.id, left.stored.secrets);
    } catch {
      // The disk accepts nothing now: after a restart the pipeline writes it itself.
    }
  }

  /** Throws an Error with a plain message if the line cannot be written. */
  use(handle: number): StoredSenderConfig {
    const open = this.#open.get(handle);
    if (open === undefined) throw new Error(`more than ${LINES_MAX} nodes call out`);
    const { id, target } = open.stored ?? this.#write(handle, open);
    const { method, project } = open.line;
    return { id, target, method, project };
  }

  /** Throws if the file cannot be read. */
  secrets(id: number): LineSecrets | null {
    const known = this.#secrets.get(id);
    if (known !== undefined) return known;
    const read = this.#watched(`read ${id}`, () => this.#store.lineSecrets(id));
    if (read !== null && this.#secrets.size < LINES_MAX) this.#secrets.set(id, read);
    return read;
  }

  /** The project whose node stored with it. Throws if the file cannot be read. */
  project(id: number): string {
    const known = this.#projects.get(id);
    if (known !== undefined) return known;
    const { project } = this.#store.linePlace(id);
    if (this.#projects.size < LINES_MAX) this.#projects.set(id, project);
    return project;
  }

  /** True while a node sends with it. */
  isOpen(id: number): boolean {
    return [...this.#open.values()].some(({ stored }) => stored?.id === id);
  }

  /** Targets of these origins; missing ones are created. Throws SluiceError `conflict`, creating none, beyond TARGETS_MAX. */
  targets(origins: readonly string[]): Target[] {
    const byOrigin = new Map([...this.#dispatcher.targets.values()].map((target) => [target.origin, target]));
    const fresh = new Set(origins.filter((origin) => !byOrigin.has(origin)));
    if (byOrigin.size + fresh.size > TARGETS_MAX) this.#dropUnused();
    if (this.#dispatcher.targets.size + fresh.size > TARGETS_MAX)
      throw new SluiceError('conflict', `The outbox already has ${TARGETS_MAX} targets; nothing was stored.`);
    for (const origin of fresh) byOrigin.set(origin, this.#make(origin));
    return origins.flatMap((origin) => byOrigin.get(origin) ?? []);
  }

  #dropUnused(): void {
    for (const { id, isInUse } of this.#dispatcher.targets.values()) {
      if (isInUse) continue;
      this.#store.dropTarget(id);
      this.#dispatcher.targets.delete(id);
    }
  }

  #make(origin: string): Target {
    const id = this.#store.addTarget(origin);
    const row = { id, origin, paused: false, reason: null, pausedBy: null, pausedAtMs: null, streak: 0 };
    const fresh = new Target(row, this.#clock.nowMs());
    this.#dispatcher.targets.set(id, fresh);
    return fresh;
  }

  /** A damaged page is no reason to end the thread, because its successor would find it again. */
  #watched<T>(what: string, work: () => T): T {
    try {
      const value = work();
      this.#damaged.delete(what);
      return value;
    } catch (error) {
      if (isDamage(error)) {
        const first = this.#damaged.size === 0;
        this.#damaged.add(what);
        if (first) this.#onDamage(error instanceof Error ? error.message : String(error));
      }
      throw error;
    }
  }

  #write(handle: number, open: OpenLine): NonNullable<OpenLine['stored']> {
    const { line } = open;
    const { headers, timeoutMs, tls } = line;
    const [target] = this.targets([line.origin]);
    if (target === undefined) throw new Error('no target was made');
    const secrets = { headers, timeoutMs, tls };
    const id = this.#watched(`open ${handle}`, () => this.#store.putLine(line, target.id, secrets));
    this.#secrets.set(id, secrets);
    target.changeSenders(1);
    this.#shares.lines({ project: line.project, target: target.id }, 1);
    open.stored = { id, target, secrets };
    return open.stored;
  }
}
