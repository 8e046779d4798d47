import { clip } from '#common/clip.ts';

/** The type of a result column, from its first value that is not null, because results have no column types. */
export type CellType = 'number' | 'text' | 'boolean' | 'bytes' | 'json' | 'null';

export interface ResultColumn {
  name: string;
  type: CellType;
}

type ResultRow = Readonly<Record<string, unknown>>;

export function columnsOf(rows: readonly ResultRow[]): ResultColumn[] {
  const types = new Map<string, CellType>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      const known = types.get(name);
      if (known === undefined || known === 'null') types.set(name, typeOf(value));
    }
  }
  return [...types].map(([name, type]) => ({ name, type }));
}

function typeOf(value: unknown): CellType {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'string') return 'text';
  return isBytes(value) ? 'bytes' : 'json';
}

function isBytes(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'base64' in value && Object.keys(value).length === 1;
}

const CHARS_MAX = 300;

/** Unchanged, numbers without grouping: an order number is not an amount. Null is shown as NULL. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return clip(text, CHARS_MAX);
}
