import type { Field } from './schema-types.ts';
import { readNumber } from './size.ts';
import { splitEntries } from './split-entries.ts';

/**
 * Values of a form that is saved as a whole are texts until then: amounts of bytes with their unit after a space, lists
 * as one text (split-entries.ts).
 */
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const UNITS = { MiB: MIB, GiB: GIB } as const;
export type ByteUnit = keyof typeof UNITS;
export const BYTE_UNITS: readonly ByteUnit[] = ['MiB', 'GiB'];

export function typedOf({ control }: Field, value: unknown): string {
  if (control.kind === 'bytes' && typeof value === 'number') return bytesAsText(value);
  if (control.kind === 'lines' && Array.isArray(value)) return value.join('\n');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** In the larger unit if it fits without a remainder. */
function bytesAsText(bytes: number): string {
  const unit = bytes % GIB === 0 && bytes > 0 ? 'GiB' : 'MiB';
  return `${bytes / UNITS[unit]} ${unit}`;
}

export function amountOf(text: string): { amount: string; unit: ByteUnit } {
  const [amount = '', unit] = text.split(' ');
  return { amount, unit: BYTE_UNITS.find((one) => one === unit) ?? 'MiB' };
}

/** The value of the text; undefined: it is not a number. An empty text is null if null is an allowed value. */
export function readTyped({ control, nullable }: Field, text: string): unknown {
  if (control.kind === 'bytes') return bytesOf(text);
  if (control.kind === 'lines') return splitEntries(text);
  const trimmed = text.trim();
  if (trimmed === '' && nullable) return null;
  if (control.kind !== 'number') return trimmed;
  return control.whole ? wholeOf(trimmed) : (readNumber(trimmed) ?? undefined);
}

const DIGITS = /^\d{1,15}$/;
const GROUPED = /^\d{1,3}(?:[\s,.'’]\d{3})+$/;

/** Digits, optionally grouped: `1.5` is not 15. */
function wholeOf(text: string): number | undefined {
  if (DIGITS.test(text)) return Number(text);
  return GROUPED.test(text) ? Number(text.replaceAll(/\D/g, '')) : undefined;
}

function bytesOf(text: string): number | undefined {
  const { amount, unit } = amountOf(text);
  const digits = amount.replace(',', '.');
  return /^\d{1,9}(?:\.\d{1,6})?$/.test(digits) ? Math.round(Number(digits) * UNITS[unit]) : undefined;
}
