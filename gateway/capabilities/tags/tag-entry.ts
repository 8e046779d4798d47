import { isDeepStrictEqual } from 'node:util';
import { NO_VALUE_YET, type TagDefinition, type TagQuality, type TagValue } from '#common/model/tag.ts';
import type { Sample } from './contract.ts';
import type { ProviderSlot } from './provider-slot.ts';
import { typedValue } from './typed-value.ts';
import type { Watcher } from './watcher.ts';

/**
 * A sample whose time is at most this much before that of the previous one is late and ignored. A larger difference
 * means that a clock was set, and the sample is accepted: otherwise the tag would show an old value as good until the
 * clock has caught up.
 */
export const LATE_MS_MAX = 5_000;

/** The years 1 to 9999, which RFC 3339 has words for. */
const TIME_MIN = Date.parse('0001-01-01T00:00:00Z');
const TIME_MAX = Date.parse('9999-12-31T00:00:00Z');

/** A tag with its current value. Code that changes `value` notifies the watchers. */
export class TagEntry {
  readonly path: string;
  readonly watchers = new Set<Watcher>();
  definition: TagDefinition;
  value: TagValue;
  slot: ProviderSlot | null = null;
  /** Characters of the value; 0 for numbers and booleans. */
  chars = 0;
  /** When the last sample arrived, by `performance.now()`. */
  heardMs = -Infinity;
  /** The last sample, converted to the tag's type if possible; null before the first and while the source is lost. */
  #sample: Sample | null = null;

  constructor(definition: TagDefinition) {
    this.path = definition.path;
    this.definition = definition;
    this.value = this.#valueOf(null, 'bad', NO_VALUE_YET, null);
  }

  /**
   * Applies another definition of the same path; the value is kept if the source is the same. True if the value
   * changed.
   */
  redefine(definition: TagDefinition): boolean {
    const before = this.value;
    const { source } = this.definition;
    this.definition = definition;
    if (!isDeepStrictEqual(source, definition.source)) this.reset(NO_VALUE_YET);
    else if (this.#sample !== null) this.#take(this.#sample);
    else this.value = this.#valueOf(null, 'bad', before.reason, before.time);
    return !isDeepStrictEqual(before, this.value);
  }

  /** True if the sample was accepted: it is not an earlier one that arrived late. */
  take(sample: Sample): boolean {
    const hasMoment = isMoment(sample.time);
    const time = hasMoment ? sample.time : Date.now();
    const behindMs = hasMoment && sample.arrived !== true ? (this.#sample?.time ?? time) - time : 0;
    if (behindMs > 0 && behindMs <= LATE_MS_MAX) return false;
    this.#take({ ...sample, time });
    this.heardMs = performance.now();
    return true;
  }

  /** The tag reads bad from this moment on. True if it did not before. */
  lost(reason: string): boolean {
    this.#sample = null;
    this.chars = 0;
    if (this.value.quality === 'bad' && this.value.reason === reason) return false;
    const time = this.value.time === null ? null : new Date().toISOString();
    this.value = this.#valueOf(null, 'bad', reason, time);
    return true;
  }

  /** Resets the tag as if it had never had a value. */
  reset(reason: string): void {
    this.#sample = null;
    this.chars = 0;
    this.value = this.#valueOf(null, 'bad', reason, null);
  }

  #take(sample: Sample): void {
    const { type } = this.definition;
    const { value, quality, reason } = sample;
    const time = rfc3339(sample.time);
    if (quality === 'bad') {
      this.#hold({ ...sample, value: null }, 0);
      this.value = this.#valueOf(null, 'bad', reason ?? 'the source gave no reason', time);
      return;
    }
    const typed = typedValue(type, value);
    if ('fault' in typed) {
      this.#holdUntyped(sample);
      this.value = this.#valueOf(null, 'bad', `type_mismatch: ${typed.fault}`, time);
      return;
    }
    this.#hold({ ...sample, value: typed.value }, typed.chars);
    this.value = this.#valueOf(typed.value, quality, quality === 'good' ? null : reason, time);
  }

  /** A value that does not fit the current type is kept if it has a JSON form, because the tag may get another type. */
  #holdUntyped(sample: Sample): void {
    const json = typedValue('json', sample.value);
    if ('fault' in json) this.#hold({ ...sample, value: null }, 0);
    else this.#hold({ ...sample, value: json.value }, json.chars);
  }

  #hold(sample: Sample, chars: number): void {
    this.#sample = sample;
    this.chars = chars;
  }

  #valueOf(value: unknown, quality: TagQuality, reason: string | null, time: string | null): TagValue {
    return Object.freeze({ path: this.path, value, quality, reason, time, unit: this.definition.unit });
  }
}

function isMoment(time: number): boolean {
  return Number.isFinite(time) && time >= TIME_MIN && time <= TIME_MAX;
}

/** Thousands of samples of one poll have the same time: 0.2 µs a sample instead of 1.2 µs, measured. */
let lastMs = Number.NaN;
let lastText = '';

function rfc3339(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString();
    lastMs = ms;
  }
  return lastText;
}
