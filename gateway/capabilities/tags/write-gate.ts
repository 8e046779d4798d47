import type { TagSource } from '#common/model/tag.ts';
import type { WriteCondition, WriteLimits } from '#common/model/write-limits.ts';
import { InterlockError, type LimitName } from '#sdk';
import type { TagEntry } from './tag-entry.ts';
import { clockMs, type SendBefore } from './send-before.ts';
import { refuseByTag } from './write-stops.ts';

/**
 * The limits of writes (docs/spec/nodes.md#write-limits), checked immediately before a value is passed to its source.
 * A device that is busy can send it later: `admit` returns how long it may, which is one sampling interval of the tags
 * of the conditions and at most BOUND_MS_MAX. A later write is refused by the driver (send-before.ts).
 *
 * Fails closed: a condition without a good value does not hold, and a step from an unknown value is too large.
 */
export const BOUND_MS_MAX = 1_000;
/** A written value counts as the last one for two intervals of its tag, and at least this long. */
export const SETTLE_MS_MIN = 1_000;
const SECOND_MS = 1_000;
const SHOWN_CHARS_MAX = 60;

interface Written {
  /** Moments of the last writes, the oldest first; at most `perSecond`. */
  readonly moments: number[];
  value: number | null;
  atMs: number;
}

export class WriteGate {
  readonly #entryOf: (path: string) => TagEntry | undefined;
  readonly #written = new WeakMap<TagEntry, Written>();

  constructor(entryOf: (path: string) => TagEntry | undefined) {
    this.#entryOf = entryOf;
  }

  /**
   * Throws InterlockError, WriteStoppedError. Counts the write. `stoppers`: the tags that stop writes. Null: it may be
   * sent at any time.
   */
  admit(entry: TagEntry, value: unknown, stoppers: readonly TagEntry[] = [], nowMs = performance.now()): SendBefore {
    this.check(entry, value, stoppers, nowMs);
    const limits = entry.definition.writeLimits;
    if (limits !== undefined) this.#note(entry, value, nowMs);
    const compared = (limits?.onlyWhile ?? []).map(({ tag }) => this.#entryOf(tag));
    if (stoppers.length + compared.length === 0) return null;
    return clockMs() + Math.min(BOUND_MS_MAX, ...[...compared, ...stoppers].map(samplingMs));
  }

  /** Throws as `admit`, which would perform the write; it is not counted. */
  check(entry: TagEntry, value: unknown, stoppers: readonly TagEntry[] = [], nowMs = performance.now()): void {
    refuseByTag(entry, stoppers);
    const limits = entry.definition.writeLimits;
    if (limits === undefined) return;
    refuseOutside(entry.path, limits, value);
    for (const condition of limits.onlyWhile) this.#expect(entry.path, condition, nowMs);
    const written = this.#writtenOf(entry);
    if (limits.maxStep !== undefined) refuseStep(entry, limits.maxStep, { value, written, nowMs });
    if (limits.perSecond !== undefined) refuseOften(entry.path, limits.perSecond, written.moments, nowMs);
  }

  #note(entry: TagEntry, value: unknown, nowMs: number): void {
    const written = this.#writtenOf(entry);
    if (entry.definition.writeLimits?.perSecond !== undefined) written.moments.push(nowMs);
    written.value = typeof value === 'number' ? value : null;
    written.atMs = nowMs;
    this.#written.set(entry, written);
  }

  #writtenOf(entry: TagEntry): Written {
    return this.#written.get(entry) ?? { moments: [], value: null, atMs: -Infinity };
  }

  #expect(path: string, condition: WriteCondition, nowMs: number): void {
    const { tag } = condition;
    const fail = (found: string, age: number | null): never =>
      refuse(path, 'onlyWhile', { expected: conditionText(condition), found: `${tag} ${found}`, age });
    const other = this.#entryOf(tag);
    if (other === undefined) return fail('does not exist', null);
    const { value, quality, reason } = other.value;
    const age = ageOf(other, nowMs);
    if (quality !== 'good') return fail(`is ${quality} (${reason ?? 'no reason'})`, age);
    if (condition.maxAge !== undefined && (age === null || age > condition.maxAge)) fail('is too old', age);
    if (!fits(condition, value)) fail(`= ${shown(value)}`, age);
  }
}

function samplingMs(entry: TagEntry | undefined): number {
  return entry === undefined ? BOUND_MS_MAX : (intervalMs(entry.definition.source) ?? BOUND_MS_MAX);
}

/** The sampling interval of a source; null: it has none. */
function intervalMs(source: TagSource): number | null {
  switch (source.provider) {
    case 'opcua':
      return source.samplingInterval * SECOND_MS;
    case 'modbus':
      return source.poll * SECOND_MS;
    case 'simulator':
      return source.interval * SECOND_MS;
    case 'mqtt':
    case 'memory':
      return null;
  }
}

/** Seconds since the time of the value or since its arrival, whichever is earlier: clocks of devices can be ahead. */
function ageOf({ value, heardMs }: TagEntry, nowMs: number): number | null {
  if (value.time === null) return null;
  const ageMs = Math.max(Date.now() - Date.parse(value.time), nowMs - heardMs);
  return Math.round(ageMs / 100) / 10;
}

function fits({ is, value: wanted }: WriteCondition, value: unknown): boolean {
  switch (is) {
    case undefined:
      return true;
    case '=':
      return value === wanted;
    case '!=':
      return value !== wanted;
    case '<':
      return typeof value === 'number' && typeof wanted === 'number' && value < wanted;
    case '>':
      return typeof value === 'number' && typeof wanted === 'number' && value > wanted;
  }
}

function conditionText({ tag, is, value, maxAge }: WriteCondition): string {
  const compared = is === undefined ? tag : `${tag} ${is} ${shown(value)}`;
  return maxAge === undefined ? compared : `${compared}, not older than ${maxAge} s`;
}

function refuseOutside(path: string, { min, max }: WriteLimits, value: unknown): void {
  if (typeof value !== 'number') return;
  if (min !== undefined && value < min) refuse(path, 'min', { expected: `at least ${min}`, found: shown(value) });
  if (max !== undefined && value > max) refuse(path, 'max', { expected: `at most ${max}`, found: shown(value) });
}

/** Compared with the last known value, and with the last written one, which the device may not have reported yet. */
function refuseStep(
  { path, value: known, definition }: TagEntry,
  maxStep: number,
  { value, written, nowMs }: { value: unknown; written: Written; nowMs: number },
): void {
  if (typeof value !== 'number') return;
  const expected = `a step of at most ${maxStep}`;
  if (known.quality !== 'good' || typeof known.value !== 'number')
    return refuse(path, 'maxStep', { expected, found: `the last value is unknown (${known.reason ?? 'no value'})` });
  const settleMs = Math.max(SETTLE_MS_MIN, 2 * (intervalMs(definition.source) ?? 0));
  const pending = written.value !== null && nowMs < written.atMs + settleMs ? [written.value] : [];
  for (const from of [known.value, ...pending])
    if (Math.abs(value - from) > maxStep)
      refuse(path, 'maxStep', { expected, found: `from ${shown(from)} to ${shown(value)}` });
}

function refuseOften(path: string, perSecond: number, moments: number[], nowMs: number): void {
  while (moments[0] !== undefined && moments[0] <= nowMs - SECOND_MS) moments.shift();
  if (moments.length >= perSecond)
    refuse(path, 'perSecond', {
      expected: `at most ${perSecond} a second`,
      found: `${moments.length + 1} in a second`,
    });
}

function refuse(
  tag: string,
  limit: LimitName,
  compared: { expected: string; found: string; age?: number | null },
): never {
  throw new InterlockError({ tag, limit, age: null, ...compared });
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text;
}
