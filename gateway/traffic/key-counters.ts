import type { KeyDelta } from '#common/control/traffic.ts';
import { Histogram } from '#common/traffic/histogram.ts';

/** Addresses of one key between two askings; what is beyond counts for the key alone. */
export const SOURCES_PER_KEY_MAX = 64;

interface Source {
  readonly ip: string;
  calls: number;
  lastMs: number;
}

const NO_SOURCE: Source = { ip: '', calls: 0, lastMs: 0 };

/** Counts of one key since the last report. */
export class KeyCounters {
  readonly id: string;
  touched = false;
  calls = 0;
  refused = 0;
  /** -1 while it has not called; kept when the rest is reported, for the next gap. */
  lastMs = -1;
  lastMethod = '';
  lastRoute: { readonly pattern: string } | null = null;
  #gaps: Histogram | null = null;
  #last = NO_SOURCE;
  readonly #sources = new Map<string, Source>();
  readonly #codes = new Map<string, number>();

  constructor(id: string) {
    this.id = id;
  }

  called(ip: string, method: string, route: { readonly pattern: string }, nowMs: number): void {
    this.calls += 1;
    if (this.lastMs >= 0) {
      this.#gaps ??= new Histogram();
      this.#gaps.add(nowMs - this.lastMs);
    }
    this.lastMs = nowMs;
    this.lastMethod = method;
    this.lastRoute = route;
    const source = this.#last.ip === ip ? this.#last : this.#source(ip);
    source.calls += 1;
    source.lastMs = nowMs;
  }

  wasRefused(code: string): void {
    this.refused += 1;
    this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1);
  }

  /** A key is called from one address again and again: only a change of it looks it up. */
  #source(ip: string): Source {
    let source = this.#sources.get(ip);
    if (source === undefined) {
      source = { ip, calls: 0, lastMs: 0 };
      if (this.#sources.size >= SOURCES_PER_KEY_MAX) this.#forgetOldest();
      this.#sources.set(ip, source);
    }
    this.#last = source;
    return source;
  }

  #forgetOldest(): void {
    for (const ip of this.#sources.keys()) {
      this.#sources.delete(ip);
      return;
    }
  }

  take(zeroMs: number): KeyDelta {
    const at = (ms: number): number => Math.round(zeroMs + ms);
    const delta: KeyDelta = {
      id: this.id,
      calls: this.calls,
      refused: this.refused,
      codes: Object.fromEntries(this.#codes),
      gaps: this.#gaps?.take() ?? [],
      last: { at: at(this.lastMs), ip: this.#last.ip, route: `${this.lastMethod} ${this.lastRoute?.pattern ?? ''}` },
      sources: [...this.#sources.values()].map(({ ip, calls, lastMs }) => ({ ip, calls, at: at(lastMs) })),
    };
    this.touched = false;
    this.calls = this.refused = 0;
    this.#sources.clear();
    this.#last = NO_SOURCE;
    this.#codes.clear();
    return delta;
  }
}
