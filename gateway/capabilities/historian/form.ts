import type { TagQuality } from '#common/model/tag.ts';
import { VALUE_CHARS_MAX } from './limits.ts';

/**
 * How a value is stored: a small integer for type and quality, and a SQLite number, text or null for the value.
 * Booleans are 0 and 1; values other than numbers, booleans and texts are stored as JSON text.
 */
export type Stored = number | string | null;

export interface Encoded {
  /** type × 4 + quality */
  readonly form: number;
  readonly stored: Stored;
}

const QUALITIES = ['good', 'uncertain', 'bad'] as const satisfies readonly TagQuality[];
const QUALITY_MASK = 3;
const TYPE_SHIFT = 2;

const NOTHING = 0;
const NUMBER = 1;
const BOOLEAN = 2;
const TEXT = 3;
const JSON_TEXT = 4;

export const BAD: Encoded = { form: 2, stored: null };

/**
 * Values with bad quality are stored as null. So are values that cannot be stored: not a finite number, not JSON, over
 * VALUE_CHARS_MAX.
 */
export function encode(value: unknown, quality: TagQuality): Encoded {
  if (quality === 'bad') return BAD;
  const { type, stored } = typed(value);
  if (type === null || (typeof stored === 'string' && stored.length > VALUE_CHARS_MAX)) return BAD;
  return { form: (type << TYPE_SHIFT) | QUALITIES.indexOf(quality), stored };
}

function typed(value: unknown): { type: number | null; stored: Stored } {
  if (value === null || value === undefined) return { type: NOTHING, stored: null };
  if (typeof value === 'number') return { type: Number.isFinite(value) ? NUMBER : null, stored: value };
  if (typeof value === 'boolean') return { type: BOOLEAN, stored: Number(value) };
  if (typeof value === 'string') return { type: TEXT, stored: value };
  const text = jsonOf(value);
  return { type: text === null ? null : JSON_TEXT, stored: text };
}

function jsonOf(value: unknown): string | null {
  try {
    const text: unknown = JSON.stringify(value);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}

export function qualityOf(form: number): TagQuality {
  return QUALITIES[form & QUALITY_MASK] ?? 'bad';
}

export function isBad(form: number): boolean {
  return (form & QUALITY_MASK) >= 2;
}

export function isUncertain(form: number): boolean {
  return (form & QUALITY_MASK) === 1;
}

/** True for numbers and booleans whose quality is not bad: values that can be summed. */
export function isNumeric(form: number): boolean {
  const type = form >> TYPE_SHIFT;
  return (type === NUMBER || type === BOOLEAN) && !isBad(form);
}

/** True only for numbers: booleans are not interpolated. */
export function isNumber(form: number): boolean {
  return form >> TYPE_SHIFT === NUMBER && !isBad(form);
}

export function numberForm(uncertain: boolean): number {
  return (NUMBER << TYPE_SHIFT) | Number(uncertain);
}

export function decode(form: number, stored: Stored): unknown {
  if (isBad(form)) return null;
  const type = form >> TYPE_SHIFT;
  if (type === BOOLEAN) return stored !== 0;
  return type === JSON_TEXT && typeof stored === 'string' ? (JSON.parse(stored) as unknown) : stored;
}
