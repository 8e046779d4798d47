/** Sizes are written as bytes, or as "512 KB", "1 MB" (1 MB = 1,048,576). */
export const SIZE_UNITS = ['B', 'KB', 'MB'] as const;
export type SizeUnit = (typeof SIZE_UNITS)[number];
export interface Size {
  amount: number;
  unit: SizeUnit;
}

/** Null if it is not a size. */
export function readSize(value: unknown): Size | null {
  if (typeof value === 'number') return Number.isFinite(value) ? { amount: value, unit: 'B' } : null;
  const [, amount, unit = 'B'] =
    /^\s*(\d+(?:\.\d+)?)\s*(B|KB|MB)?\s*$/i.exec(typeof value === 'string' ? value : '') ?? [];
  const known = SIZE_UNITS.find((one) => one === unit.toUpperCase());
  return amount === undefined || known === undefined ? null : { amount: Number(amount), unit: known };
}

export function writeSize({ amount, unit }: Size): number | string {
  return unit === 'B' ? amount : `${amount} ${unit}`;
}

/** A typed number; a comma is read as a decimal point. Null if it is not a number. */
export function readNumber(text: string): number | null {
  const plain = text.trim().replace(',', '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : null;
}
