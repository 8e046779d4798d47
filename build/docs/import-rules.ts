/**
 * The import rules of .oxlintrc.json, generated from the table "Folders and imports" of docs/ARCHITECTURE.md. A row has
 * globs of files and their forbidden imports; a later row replaces the earlier ones for its files, like overrides in
 * oxlint. A row without imports allows everything.
 */
const HEADING = '## Folders and imports';
const RULE = 'no-restricted-imports';
const PLACE = 'See "Folders and imports" in docs/ARCHITECTURE.md.';

/** Imports by `#name` that lead into a folder. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  gateway: ['#net/*'],
  main: [],
  plugins: ['#plugins'],
  renderer: ['#ui/*', '#api/*'],
  test: ['#test/*'],
};
const NODE_MODULES = ['node:*', 'fs', 'path', 'crypto', 'net', 'http', 'os', 'child_process'];
const ACROSS = {
  group: ['../../*', '../../**'],
  message: `Import across folders by #common, #sdk, #plugins or #test. ${PLACE}`,
};

export interface ImportRow {
  readonly files: readonly string[];
  /** Folders, `node:`, packages and patterns. */
  readonly never: readonly string[];
}

interface LintConfig {
  readonly overrides: readonly {
    readonly files: readonly string[];
    readonly rules?: Readonly<Record<string, unknown>>;
  }[];
}

/** The rows of the table. Throws RangeError if the page has no such table. */
export function importRows(page: string): ImportRow[] {
  const [, section = ''] = page.split(`\n${HEADING}\n`);
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  const rows = lines.slice(2).map((line) => {
    const [, files = '', never = ''] = line.split('|');
    return { files: codesIn(files), never: codesIn(never) };
  });
  if (rows.length === 0) throw new RangeError(`docs/ARCHITECTURE.md has no table below "${HEADING}"`);
  return rows;
}

const codesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** `.oxlintrc.json` with the rules of the table, after all other overrides. */
export function lintConfig(config: string, page: string): string {
  const { overrides, ...rest } = JSON.parse(config) as LintConfig;
  const others = overrides.filter(({ rules = {} }) => Object.keys(rules).join() !== RULE);
  return JSON.stringify({ ...rest, overrides: [...others, ...importRows(page).map(overrideOf)] });
}

function overrideOf({ files, never }: ImportRow): object {
  if (never.length === 0) return { files, rules: { [RULE]: 'off' } };
  const patterns = [ACROSS, { group: never.flatMap(patternsOf), message: messageOf(files, never) }];
  return { files, rules: { [RULE]: ['error', { patterns }] } };
}

function messageOf(files: readonly string[], never: readonly string[]): string {
  return `${files.join(', ')} must not import ${never.join(', ')}. ${PLACE}`;
}

function patternsOf(never: string): readonly string[] {
  if (never === 'node:') return NODE_MODULES;
  const aliases = ALIASES[never];
  if (aliases !== undefined) return [`../${never}/**`, `./${never}/**`, `**/../${never}/**`, ...aliases];
  return /^[\w-]+$/.test(never) ? [never, `${never}/*`] : [never];
}
