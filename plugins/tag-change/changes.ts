import { TAGS_PER_PROJECT_MAX, type TagValue } from '#common/model/tag.ts';
import type { NodeInstance, Trigger } from '#sdk';
import { sameValue } from './same-value.ts';

/**
 * The values of the last run of each tag, and later changes that still wait.
 *
 * The first reported value of a tag only serves for comparison; it begins no run. A change that cannot begin a run yet
 * waits, and for each tag only the latest one: it is compared with the value of the last run, so that a value that
 * returned to it begins no run either. Limits: WAITING_MAX waiting tags; a change of a further tag is dropped, counted
 * and detected again at the tag's next sample. KNOWN_MAX tags are compared.
 */
export const WAITING_MAX = 1_000;
export const KNOWN_MAX = 2 * TAGS_PER_PROJECT_MAX;
const RETRY_MS = 50;
const COMPLAIN_MS_MIN = 10_000;

export function createTagChange(settings: {
  readonly tags: readonly string[];
  readonly deadband: number;
}): NodeInstance {
  let changes: Changes | null = null;
  return {
    run: (message) => ({ port: 'out', message }),
    begin(trigger) {
      const begun = new Changes(trigger, settings.deadband);
      changes = begun;
      trigger.onTags(settings.tags, (value) => begun.tell(value));
    },
    close: () => changes?.close(),
  };
}

class Changes {
  readonly #trigger: Trigger;
  readonly #deadband: number;
  /** By tag: the value of the last run, or the first value. */
  readonly #last = new Map<string, TagValue>();
  readonly #waiting = new Map<string, TagValue>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #dropped = 0;
  #complainedAt = Number.NEGATIVE_INFINITY;

  constructor(trigger: Trigger, deadband: number) {
    this.#trigger = trigger;
    this.#deadband = deadband;
  }

  tell(value: TagValue): void {
    const { path } = value;
    const last = this.#last.get(path);
    if (last === undefined) {
      this.#know(path, value);
      return;
    }
    if (!isChange(last, value, this.#deadband)) {
      this.#waiting.delete(path);
      return;
    }
    if (this.#waiting.size >= WAITING_MAX && !this.#waiting.has(path)) {
      this.#drop();
      return;
    }
    this.#waiting.set(path, value);
    if (this.#timer === null) this.#emit();
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#waiting.clear();
  }

  /** Removed tags are still known here: beyond the limit, the one known longest is dropped. */
  #know(path: string, value: TagValue): void {
    const [oldest] = this.#last.keys();
    if (this.#last.size >= KNOWN_MAX && oldest !== undefined) this.#last.delete(oldest);
    this.#last.set(path, value);
  }

  /** In the order in which they began to wait, while there is capacity. */
  #emit(): void {
    this.#timer = null;
    for (const [path, value] of this.#waiting) {
      const payload = payloadOf(value, this.#last.get(path)?.value);
      if (!this.#trigger.emit(payload)) {
        this.#timer = setTimeout(() => this.#emit(), RETRY_MS);
        return;
      }
      this.#last.set(path, value);
      this.#waiting.delete(path);
    }
  }

  #drop(): void {
    this.#dropped += 1;
    const now = performance.now();
    if (now - this.#complainedAt < COMPLAIN_MS_MIN) return;
    this.#complainedAt = now;
    this.#trigger.log(
      'warn',
      `${this.#dropped} changes of tags were dropped since the start: ${WAITING_MAX} tags wait for a run already`,
    );
  }
}

/** A number within the deadband of the last one, with the same quality, is not a change. */
function isChange(last: TagValue, next: TagValue, deadband: number): boolean {
  if (last.quality !== next.quality) return true;
  if (typeof last.value === 'number' && typeof next.value === 'number')
    return Math.abs(next.value - last.value) > deadband;
  return !sameValue(last.value, next.value);
}

function payloadOf({ path, value, quality, reason, time, unit }: TagValue, previous: unknown): unknown {
  return { tag: path, value, quality, reason, time, unit, previous };
}
