/**
 * Counts the calls of the gateway for the host, which asks about once per second (common/control/traffic.ts).
 *
 * The counters belong to the route and the key, so that counting a call needs no look-up; changed counters wait in a
 * list for the next report. A reported part is kept until the next request says that it arrived. Limits: PARTS_MAX
 * parts are kept, the oldest is dropped first; one counter per route and key, and SOURCES_PER_KEY_MAX addresses of
 * each.
 * Known weakness: counts that were not requested yet are lost with the process.
 */
import type { TrafficAnswer, TrafficPart } from '#common/control/traffic.ts';
import type { KeyCounters } from './key-counters.ts';
import type { RouteCounters } from './route-counters.ts';

export const PARTS_MAX = 8;

export class Traffic {
  readonly #epoch: string;
  readonly #now: () => number;
  readonly #zeroMs: () => number;
  #routes: RouteCounters[] = [];
  #keys: KeyCounters[] = [];
  #unrouted = 0;
  #cursor = 0;
  #warnedMs: number;
  #parts: TrafficPart[] = [];

  /** `now` in milliseconds from any zero point, like the times of the calls; `wall` since 1970. */
  constructor(epoch: string, now = (): number => performance.now(), wall = (): number => Date.now()) {
    this.#epoch = epoch;
    this.#now = now;
    this.#zeroMs = () => wall() - now();
    this.#warnedMs = now();
  }

  /** Counts a call that ran, timed from its first byte to its reply. `key` null: the route is public. */
  ran(
    route: RouteCounters,
    key: KeyCounters | null,
    ip: string,
    method: string,
    startedMs: number,
    status: number,
  ): void {
    const nowMs = this.#now();
    this.#count(route, key, ip, method, nowMs);
    route.ran(nowMs - startedMs);
    route.answered(status);
  }

  /** A call that was refused before it ran. `key` null: no valid key was presented. */
  refused(
    route: RouteCounters,
    key: KeyCounters | null,
    ip: string,
    method: string,
    status: number,
    code: string,
  ): void {
    this.#count(route, key, ip, method, this.#now());
    route.answered(status);
    this.refusedRun(route, key, code);
  }

  /** In addition to `ran`: a call that ran and was refused a right. */
  refusedRun(route: RouteCounters, key: KeyCounters | null, code: string): void {
    route.refused += 1;
    key?.wasRefused(code);
  }

  unrouted(): void {
    this.#unrouted += 1;
  }

  #count(route: RouteCounters, key: KeyCounters | null, ip: string, method: string, nowMs: number): void {
    route.calls += 1;
    if (!route.touched) {
      route.touched = true;
      this.#routes.push(route);
    }
    if (key !== null || !route.keyed) route.calledBy(key === null ? null : key.id, ip, nowMs);
    if (key === null) return;
    key.called(ip, method, route, nowMs);
    if (key.touched) return;
    key.touched = true;
    this.#keys.push(key);
  }

  /** Everything that the host does not have yet; `epoch` and `cursor` are from its last response. */
  tell(epoch: string | null, cursor: number, inFlight: number): TrafficAnswer {
    if (epoch === this.#epoch) this.#parts = this.#parts.filter((part) => part.cursor > cursor);
    this.#parts.push(this.#part());
    if (this.#parts.length > PARTS_MAX) this.#parts.shift();
    return { epoch: this.#epoch, cursor: this.#cursor, inFlight, parts: this.#parts };
  }

  #part(): TrafficPart {
    const nowMs = this.#now();
    const zeroMs = this.#zeroMs();
    const part: TrafficPart = {
      cursor: ++this.#cursor,
      spanMs: Math.round(nowMs - this.#warnedMs),
      unrouted: this.#unrouted,
      routes: this.#routes.map((route) => route.take(zeroMs)),
      keys: this.#keys.map((key) => key.take(zeroMs)),
    };
    this.#warnedMs = nowMs;
    this.#unrouted = 0;
    this.#routes = [];
    this.#keys = [];
    return part;
  }
}
