import type { z } from 'zod';
import type { FieldError } from '#common/errors/catalogue.ts';
import { fieldErrors } from '#common/model/fields.ts';
import { invalid } from './call.ts';
import { decodeUtf8, JSON_DEPTH_MAX, parseJson } from './parse-json.ts';

/** Enough to correct a file; `invalid` returns no more. */
const ERRORS_MAX = 100;

/** Counts all lines of a body, including empty ones: each uses memory before it is checked. */
export const LINES_MAX = 100_000;
const LINE_FEED = 10;

/** A body of JSON Lines, not parsed yet. Empty lines count, so that line numbers match those in an editor. */
export class JsonLines {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  static of(bytes: Uint8Array): JsonLines {
    if (count(bytes, LINE_FEED) >= LINES_MAX)
      throw invalid([{ path: '', message: `expected at most ${LINES_MAX} lines, empty ones included` }]);
    try {
      return new JsonLines(decodeUtf8(bytes).split('\n'));
    } catch {
      throw invalid([{ path: '', message: 'expected JSON Lines in UTF-8' }]);
    }
  }
}

/**
 * For the `prepare` of a call: converts JSON Lines to `{ [field]: [...] }`, or lists every invalid line with its error.
 * A JSON body is unchanged.
 */
export function linesAs(field: string, item: z.ZodType, linesMax: number): (body: unknown) => unknown {
  return (body) => (body instanceof JsonLines ? { [field]: checkedLines(body.lines, item, linesMax) } : body);
}

function checkedLines(lines: readonly string[], item: z.ZodType, linesMax: number): unknown[] {
  const values: unknown[] = [];
  const errors: FieldError[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    if (values.length === linesMax)
      throw invalid([
        { path: lineName(index), message: `expected at most ${linesMax} lines; send the rest afterwards` },
      ]);
    const { value, faults } = checkedLine(line, item, lineName(index));
    values.push(value);
    errors.push(...faults);
    if (errors.length >= ERRORS_MAX) break;
  }
  if (errors.length > 0) throw invalid(errors);
  return values;
}

function checkedLine(line: string, item: z.ZodType, name: string): { value: unknown; faults: FieldError[] } {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch {
    const message = `expected one JSON object, at most ${JSON_DEPTH_MAX} levels deep, without "__proto__"`;
    return { value, faults: [{ path: name, message }] };
  }
  const result = item.safeParse(value);
  return { value, faults: result.success ? [] : named(fieldErrors(result.error), name) };
}

function named(faults: FieldError[], name: string): FieldError[] {
  return faults.map(({ path, ...fault }) => ({ path: path === '' ? name : `${name}, ${path}`, ...fault }));
}

function count(bytes: Uint8Array, wanted: number): number {
  let found = 0;
  for (const byte of bytes) if (byte === wanted) found++;
  return found;
}

function lineName(index: number): string {
  return `line ${index + 1}`;
}
