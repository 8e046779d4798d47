import { projectId } from '#common/model/ids.ts';
import type { LineValue, LineValues } from '#common/model/project-lines.ts';
import { LINES_FILE } from './folder-files.ts';
import { PlainError } from './plain-error.ts';

/**
 * `lines.csv` in the folder of a project (docs/spec/pipelines.md#lines): one row for each line, with the ID of its
 * project in the first column. The other columns are values, named `NAME`, `NAME:number` or `NAME:boolean`.
 *
 * CSV according to RFC 4180, or with semicolons, as spreadsheets write it in many countries. Limits: LINES_MAX lines,
 * COLUMNS_MAX columns of values, VALUE_CHARS_MAX characters of a value.
 */
export const LINES_MAX = 1_000;
export const COLUMNS_MAX = 100;
export const VALUE_CHARS_MAX = 1_000;
const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** The values of each project, in the order of the rows. */
export type LineTable = ReadonlyMap<string, LineValues>;

interface Column {
  name: string;
  read: (text: string) => LineValue | null;
  expected: string;
}

const TYPES: Readonly<Record<string, Omit<Column, 'name'>>> = {
  text: {
    read: (text) => (text.length <= VALUE_CHARS_MAX ? text : null),
    expected: `at most ${VALUE_CHARS_MAX} characters`,
  },
  number: {
    read: (text) => (/^-?\d+(?:\.\d+)?$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : null),
    expected: 'a number such as 502 or 0.5',
  },
  boolean: {
    read: (text) => (/^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : null),
    expected: 'true or false',
  },
};

/** Throws PlainError with the row and the column of the first error. */
export async function readLineTable(text: string): Promise<LineTable> {
  const [head = [], ...rows] = await cellsOf(text);
  const columns = columnsOf(head);
  if (rows.length === 0 || rows.length > LINES_MAX)
    throw fault(1, `expected 1 to ${LINES_MAX} rows below the row of column names`);
  const lines = new Map<string, LineValues>();
  for (const [index, [project = '', ...cells]] of rows.entries()) {
    const row = index + 2;
    if (!projectId.safeParse(project).success) throw fault(row, 'project: expected the ID of a project');
    if (lines.has(project)) throw fault(row, `project: there are two rows for "${project}"`);
    lines.set(project, valuesOf(row, columns, cells));
  }
  return lines;
}

async function cellsOf(text: string): Promise<string[][]> {
  const { CsvError, parse } = await import('csv-parse/sync');
  const delimiter = (/^[^\r\n]*/.exec(text)?.[0] ?? '').includes(';') ? ';' : ',';
  try {
    return parse(text, { bom: true, delimiter, trim: true, skip_empty_lines: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw fault(Number(error['lines']), 'expected CSV with as many fields as the first row');
  }
}

function columnsOf([first, ...heads]: readonly string[]): Column[] {
  if (first !== 'project') throw fault(1, 'expected "project" as the name of the first column');
  if (heads.length > COLUMNS_MAX) throw fault(1, `expected at most ${COLUMNS_MAX} columns of values`);
  const columns = heads.map((head): Column => {
    const [name = '', type = 'text', ...rest] = head.split(':');
    const found = Object.hasOwn(TYPES, type) && rest.length === 0 ? TYPES[type] : undefined;
    if (found !== undefined && NAME.test(name)) return { name, ...found };
    throw fault(1, `"${head}": expected a name such as plc_host, plc_port:number or spare:boolean`);
  });
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw fault(1, `there are two columns "${twice}"`);
  return columns;
}

function valuesOf(row: number, columns: readonly Column[], cells: readonly string[]): LineValues {
  return new Map(
    columns.map(({ name, read, expected }, index) => {
      const value = read(cells[index] ?? '');
      if (value === null) throw fault(row, `${name}: expected ${expected}`);
      return [name, value];
    }),
  );
}

function fault(row: number, message: string): PlainError {
  return new PlainError(`${LINES_FILE}, row ${row}: ${message}`);
}
