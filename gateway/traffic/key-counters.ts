import type { KeyDelta } from '#common/control/traffic.ts';
import { Histogram } from '#common/traffic/histogram.ts';

/** Addresses of one key between two requests of the host; further ones count for the key alone. */
export const SOURCES_PER_KEY_MAX = 64;
/** Routes of one key between two requests of the host; further ones count for the key alone. */
export const ROUTES_PER_KEY_MAX = 64;

/** A route as a key knows it. */
export interface CountedRoute {
  readonly method: string;
  readonly pattern: string;
}

interface RouteCalls {
  readonly route: CountedRoute;
  calls: number;
  refused: number;
  lastMs: number;
}

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
  /** -1 while it has not called; kept when the rest is reported, for the next interval. */
  lastMs = -1;
  lastMethod = '';
  lastRoute: CountedRoute | null = null;
  #gaps: Histogram | null = null;
  #last = NO_SOURCE;
  readonly #sources = new Map<string, Source>();
  readonly #codes = new Map<string, number>();
  #lastCalls: RouteCalls | null = null;
  readonly #routes = new Map<CountedRoute, RouteCalls>();

  constructor(id: string) {
    this.id = id;
  }

  called(ip: string, method: string, route: CountedRoute, nowMs: number): void {
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
    this.#lastCalls = this.#lastCalls?.route === route ? this.#lastCalls : this.#callsOf(route);
    if (this.#lastCalls === null) return;
    this.#lastCalls.calls += 1;
    this.#lastCalls.lastMs = nowMs;
  }

  /** Route of the last counted call. */
  wasRefused(code: string): void {
    this.refused += 1;
    if (this.#lastCalls !== null) this.#lastCalls.refused += 1;
    this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1);
  }

  /** A key is usually called from the same address: it is looked up only when it changes. */
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

  #callsOf(route: CountedRoute): RouteCalls | null {
    const known = this.#routes.get(route);
    if (known !== undefined) return known;
    if (this.#routes.size >= ROUTES_PER_KEY_MAX) return null;
    const added = { route, calls: 0, refused: 0, lastMs: 0 };
    this.#routes.set(route, added);
    return added;
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
      routes: [...this.#routes.values()].map(({ route, calls, refused, lastMs }) => ({
        route: `${route.method} ${route.pattern}`,
        calls,
        refused,
        at: at(lastMs),
      })),
    };
    this.touched = false;
    this.calls = this.refused = 0;
    this.#sources.clear();
    this.#last = NO_SOURCE;
    this.#codes.clear();
    this.#routes.clear();
    this.#lastCalls = null;
    return delta;
  }
}
