import type { ShareUse } from '#common/control/messages.ts';
import type { Bound, Holder } from '../net/shares.ts';

/** So that the alarm does not clear and return with each burst. */
const OVER_MS = 60_000;
const LOOK_MS = 5_000;
/** Enough for a user to read. */
const USES_MAX = 20;

interface Seen {
  readonly use: ShareUse;
  atMs: number;
}

/**
 * Reports to the host who exhausts a limit: holders that were refused because of their share, and the largest holder of
 * an exhausted limit. A holder is reported at its first refusal and withdrawn a minute after its last one.
 */
export class ShareNews {
  readonly #tell: (uses: ShareUse[]) => void;
  readonly #nowMs: () => number;
  readonly #seen = new Map<string, Seen>();
  #timer: NodeJS.Timeout | null = null;

  constructor(tell: (uses: ShareUse[]) => void, nowMs = (): number => performance.now()) {
    this.#tell = tell;
    this.#nowMs = nowMs;
  }

  refused(cap: string, by: Holder, bound: Bound): void {
    const { id, name, project } = by;
    const key = bound === 'project' ? `${cap} ${project}` : `${cap} ${project} ${id}`;
    const known = this.#seen.get(key);
    if (known) {
      known.atMs = this.#nowMs();
      return;
    }
    if (this.#seen.size >= USES_MAX) return;
    const use: ShareUse = { cap, name: bound === 'project' ? null : name, project };
    this.#seen.set(key, { use, atMs: this.#nowMs() });
    this.#timer ??= setInterval(() => this.look(), LOOK_MS).unref();
    this.#say();
  }

  /** Withdraws holders without a refusal for OVER_MS. */
  look(): void {
    const before = this.#seen.size;
    for (const [id, { atMs }] of this.#seen) if (this.#nowMs() - atMs >= OVER_MS) this.#seen.delete(id);
    if (this.#seen.size < before) this.#say();
    if (this.#seen.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #say(): void {
    this.#tell([...this.#seen.values()].map(({ use }) => use));
  }
}
