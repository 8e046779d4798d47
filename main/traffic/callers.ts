import type { KeyDelta } from '#common/control/traffic.ts';
import type { KeyHost } from '#common/model/traffic.ts';
import { quantileOf, totalOf } from '#common/traffic/counts.ts';
import type { Level } from './level.ts';
import { keySeries } from './tally.ts';

/** Addresses per key; the one that called longest ago is dropped first. */
export const HOSTS_PER_KEY_MAX = 64;
const HOSTS_KEPT_MS = 24 * 60 * 60 * 1000;
const HOST_MINUTES = 10;
const REFUSAL_MINUTES = 15;
const MINUTE_MS = 60_000;
const HOURS_OF_GAPS = 24;
/** Two intervals: three calls. */
const GAPS_MIN = 2;
const SILENT_GAPS = 5;
const SILENT_SECONDS_MIN = 60;

interface Host {
  at: number;
  /** Calls by minute, oldest first. */
  minutes: { minute: number; calls: number }[];
}

interface Refusals {
  minute: number;
  code: string;
  count: number;
}

/** The addresses and refusals of one key, in memory and for as long as they are needed. */
export class Caller {
  readonly #hosts = new Map<string, Host>();
  #refusals: Refusals[] = [];

  take(delta: KeyDelta, nowMs: number): void {
    const minute = Math.floor(nowMs / MINUTE_MS);
    for (const { ip, calls, at } of delta.sources) this.#host(ip, calls, at, minute);
    for (const [code, count] of Object.entries(delta.codes)) this.#refused(code, count, minute);
    this.#refusals = this.#refusals.filter((one) => one.minute > minute - REFUSAL_MINUTES);
  }

  /** The most recent caller is last in the map, so the first one is dropped. */
  #host(ip: string, calls: number, at: number, minute: number): void {
    const host = this.#hosts.get(ip) ?? { at, minutes: [] };
    this.#hosts.delete(ip);
    this.#hosts.set(ip, host);
    host.at = Math.max(host.at, at);
    const last = host.minutes.at(-1);
    if (last?.minute === minute) last.calls += calls;
    else host.minutes.push({ minute, calls });
    host.minutes = host.minutes.filter((one) => one.minute > minute - HOST_MINUTES);
    for (const oldest of this.#hosts.keys()) {
      if (this.#hosts.size <= HOSTS_PER_KEY_MAX) return;
      this.#hosts.delete(oldest);
    }
  }

  #refused(code: string, count: number, minute: number): void {
    const known = this.#refusals.find((one) => one.minute === minute && one.code === code);
    if (known) known.count += count;
    else this.#refusals.push({ minute, code, count });
  }

  /** During the last 24 h, the latest caller first. */
  hosts(nowMs: number): KeyHost[] {
    const minute = Math.floor(nowMs / MINUTE_MS);
    return [...this.#hosts]
      .filter(([, { at }]) => at > nowMs - HOSTS_KEPT_MS)
      .toSorted(([, a], [, b]) => b.at - a.at)
      .map(([ip, { at, minutes }]) => {
        const recent = minutes.filter((one) => one.minute > minute - HOST_MINUTES);
        const calls = recent.reduce((total, one) => total + one.calls, 0);
        return { ip, calls, lastCallAt: new Date(at).toISOString() };
      });
  }

  /** The most frequent code of the last 15 minutes. */
  refusedCode(nowMs: number): string | null {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const counts = new Map<string, number>();
    for (const one of this.#refusals)
      if (one.minute > minute - REFUSAL_MINUTES) counts.set(one.code, (counts.get(one.code) ?? 0) + one.count);
    const [first] = [...counts].toSorted(([, a], [, b]) => b - a);
    return first?.[0] ?? null;
  }
}

/** The median interval in the 24 h up to the last call of the key, in seconds; null with fewer than three calls. */
export function usualGapSeconds(hours: Level, keyId: string, lastCallMs: number): number | null {
  const gaps = hours.times(keySeries(keyId), lastCallMs, HOURS_OF_GAPS);
  if (totalOf(gaps) < GAPS_MIN) return null;
  const medianMs = quantileOf(gaps, 0.5);
  return medianMs === null ? null : medianMs / 1000;
}

/**
 * `heardSinceMs`: since when the gateway could have reported a call; null: it is down, and no caller counts as overdue.
 */
export function isSilent(
  usualGap: number | null,
  lastCallMs: number,
  heardSinceMs: number | null,
  nowMs: number,
): boolean {
  if (usualGap === null || heardSinceMs === null) return false;
  const quietSeconds = (nowMs - Math.max(lastCallMs, heardSinceMs)) / 1000;
  return quietSeconds > Math.max(SILENT_SECONDS_MIN, SILENT_GAPS * usualGap);
}
