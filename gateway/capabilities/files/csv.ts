import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonText, NodeError } from '#sdk';
import { refuseLong, refuseEnded } from './refuse.ts';

/**
 * CSV according to RFC 4180: commas, quotes, a header line with names. The value is a list of objects; all fields are
 * texts when read. A null value is written as an empty field, which is read as an empty text.
 *
 * Not altered: a spreadsheet treats a text that begins with =, +, - or @ as a formula. If such files contain external
 * data, the pipeline must check it. Limits: ROWS_MAX, COLUMNS_MAX, CELLS_MAX. Long files are processed in slices, and
 * the event loop runs in between.
 */
export const ROWS_MAX = 200_000;
export const COLUMNS_MAX = 1_000;
export const CELLS_MAX = 2_000_000;

const SLICE_CHARS = 64 * 1024;
const SLICE_ROWS = 500;

type Row = Record<string, unknown>;

/** Throws NodeError `file_invalid`, `file_too_large`. */
export async function readCsv(text: string): Promise<Row[]> {
  const { Parser } = await import('csv-parse');
  const parser = new Parser({ record_delimiter: ['\r\n', '\n', '\r'], skip_empty_lines: true });
  const lines = new RowReader();
  const failed = new Promise<never>((_, reject) => parser.once('error', reject));
  failed.catch(() => undefined);
  const ended = new Promise<void>((resolve) => parser.once('end', resolve));
  parser.on('data', (fields: string[]) => lines.take(fields));
  try {
    for (let at = 0; at < text.length && lines.fault === null; at += SLICE_CHARS) {
      parser.write(text.slice(at, at + SLICE_CHARS));
      await Promise.race([nextTurn(), failed]);
    }
    if (lines.fault === null) {
      parser.end();
      await Promise.race([ended, failed]);
    }
  } catch (cause) {
    const line = cause instanceof Error && 'lines' in cause ? ` (near line ${String(cause.lines)})` : '';
    throw new NodeError('file_invalid', `the file is not CSV with as many fields in each line as names${line}`, {
      cause,
    });
  } finally {
    parser.destroy();
  }
  return lines.done();
}

/** Converts lines to objects; an error is stored until the parser has returned. */
class RowReader {
  fault: NodeError | null = null;
  #names: readonly string[] | null = null;
  readonly #rows: Row[] = [];

  take(fields: string[]): void {
    if (this.fault !== null) return;
    if (this.#names === null) {
      this.#names = fields;
      this.fault = namesFault(fields);
      return;
    }
    this.fault = tooLarge(this.#rows.length + 1, fields.length);
    // The names were checked: __proto__ is not among them.
    if (this.fault === null) this.#rows.push(Object.fromEntries(this.#names.map((name, i) => [name, fields[i]])));
  }

  done(): Row[] {
    if (this.fault !== null) throw this.fault;
    return this.#rows;
  }
}

/** Throws NodeError `file_invalid`, `file_too_large`, and `call_cancelled` once `signal` is aborted. */
export async function writeCsv(content: unknown, signal?: AbortSignal): Promise<string> {
  const rows = rowsOf(content);
  const names = [...columnsOf(rows)];
  if (names.length === 0) return '';
  const fault = namesFault(names) ?? tooLarge(rows.length, names.length);
  if (fault !== null) throw fault;
  const { stringify } = await import('csv-stringify/sync');
  const asText = (lines: readonly (readonly string[])[]): string =>
    stringify(
      lines.map((line) => [...line]),
      { quoted_match: /[\r\n]/, quoted_empty: true, record_delimiter: '\r\n' },
    );
  let text = asText([names]);
  let chars = text.length;
  // Before it is text: the same long value may be in every field.
  const watched = (field: string): string => {
    chars += field.length;
    refuseLong(chars);
    return field;
  };
  for (let at = 0; at < rows.length; at += SLICE_ROWS) {
    const slice = rows.slice(at, at + SLICE_ROWS);
    text += asText(
      slice.map((row) => names.map((name) => watched(fieldOf(Object.hasOwn(row, name) ? row[name] : null)))),
    );
    await nextTurn();
    refuseEnded(signal);
  }
  return text;
}

function rowsOf(content: unknown): Row[] {
  if (!Array.isArray(content)) throw notRows();
  return content.map((row: unknown) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row) || row instanceof Uint8Array) throw notRows();
    return row as Row;
  });
}

function notRows(): NodeError {
  return new NodeError('file_invalid', 'expected a list of objects as the content of a CSV file');
}

/** Columns of all rows, in the order of their first occurrence. */
function columnsOf(rows: readonly Row[]): Set<string> {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return names;
}

function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  try {
    return typeof value === 'object' && !(value instanceof Uint8Array) ? jsonText(value) : plain(value);
  } catch (cause) {
    throw new NodeError('file_invalid', 'a row holds something that cannot be a field', { cause });
  }
}

/** Bytes as base64 without the quotes of JSON. */
function plain(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : jsonText(value);
}

function namesFault(names: readonly string[]): NodeError | null {
  if (names.length > COLUMNS_MAX) return new NodeError('file_too_large', `expected at most ${COLUMNS_MAX} columns`);
  if (names.includes('__proto__')) return new NodeError('file_invalid', 'a column cannot be named __proto__');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return null;
  return new NodeError('file_invalid', `two columns have the name "${twice.slice(0, 60)}"; expected each once`);
}

function tooLarge(rows: number, columns: number): NodeError | null {
  if (rows <= ROWS_MAX && rows * columns <= CELLS_MAX) return null;
  const limits = `${ROWS_MAX} lines and ${CELLS_MAX} fields`;
  return new NodeError('file_too_large', `expected at most ${limits} in a CSV file`);
}
