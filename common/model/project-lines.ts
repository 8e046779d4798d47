import { type FieldError, SluiceError } from '../errors/catalogue.ts';
import type { FolderFiles } from './project-folder.ts';

/**
 * Values of lines (docs/spec/pipelines.md#lines): one folder serves many projects, which differ in a few values.
 * `{{line.NAME}}` in a file of the folder is the placeholder of a value.
 */
export type LineValue = string | number | boolean;
export type LineValues = ReadonlyMap<string, LineValue>;

const PLACE = /\{\{\s*line\.([^{}]*?)\s*\}\}/g;
/** In code and SQL, such a value could end the text around it. */
const UNSAFE_IN_CODE = /['"`$\\\r\n\u2028\u2029]/;
/** Settings of nodes in JSON that are code, such as the statements of a transaction. */
const CODE_SETTINGS: readonly string[] = ['code', 'sql'];
const ERRORS_MAX = 100;

/**
 * The files with the values of one line. In a JSON file, a text that is only a placeholder becomes the value with its
 * type. A file that is not JSON stays as it is: reading the folder reports it.
 *
 * Throws SluiceError `invalid`: each error has the file as its path, for a name without a value and for an unsafe value
 * in code or SQL.
 */
export function fillLine(files: FolderFiles, values: LineValues): Map<string, string> {
  const errors: FieldError[] = [];
  const filled = new Map<string, string>();
  for (const [path, text] of files) {
    const isJson = path.endsWith('.json');
    const valueOf = (name: string, isCode = !isJson): LineValue => {
      const value = values.get(name);
      const fault =
        value === undefined
          ? missing(name, values)
          : isCode && UNSAFE_IN_CODE.test(String(value))
            ? unsafe(name)
            : null;
      if (fault !== null) errors.push({ path, message: fault });
      return value ?? '';
    };
    filled.set(path, isJson ? fillJson(text, valueOf) : fillText(text, valueOf));
  }
  refuse(errors);
  return filled;
}

type ValueOf = (name: string, isCode?: boolean) => LineValue;

function fillJson(text: string, valueOf: ValueOf): string {
  if (text.search(PLACE) < 0) return text;
  try {
    return JSON.stringify(JSON.parse(text.replace(/^\ufeff/, '')), (key, value: unknown) => {
      if (typeof value !== 'string') return value;
      return CODE_SETTINGS.includes(key) ? fillText(value, (name) => valueOf(name, true)) : fillValue(value, valueOf);
    });
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function fillValue(text: string, valueOf: ValueOf): LineValue {
  const [first] = text.matchAll(PLACE);
  return first !== undefined && first[0] === text ? valueOf(first[1] ?? '') : fillText(text, valueOf);
}

function fillText(text: string, valueOf: ValueOf): string {
  return text.replaceAll(PLACE, (_, name: string) => String(valueOf(name)));
}

function missing(name: string, values: LineValues): string {
  return `{{line.${name}}} has no value; expected one of ${[...values.keys()].join(', ')}`;
}

function unsafe(name: string): string {
  return `{{line.${name}}} is in code or SQL; expected a value without quotes, dollar signs, backslashes and line breaks`;
}

function refuse(all: readonly FieldError[]): void {
  const errors = all.slice(0, ERRORS_MAX);
  if (errors.length === 0) return;
  const more = all.length > errors.length ? `\nand ${all.length - errors.length} more` : '';
  throw new SluiceError('invalid', errors.map(({ path, message }) => `${path}: ${message}`).join('\n') + more, {
    errors,
  });
}
