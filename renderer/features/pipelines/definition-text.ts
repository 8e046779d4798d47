import { READ_ONLY_PIPELINE_FIELDS, type ReadOnlyField } from './read-only-fields.ts';

/** The definition as text to read and change: without the fields that Sluice keeps itself. */
export function definitionText(record: object): string {
  const kept = Object.entries(record).filter(([name]) => !READ_ONLY_PIPELINE_FIELDS.includes(name as ReadOnlyField));
  return JSON.stringify(Object.fromEntries(kept), null, 2);
}

export type Parsed = { ok: true; value: unknown } | { ok: false; reason: string };

export function parseDefinition(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
