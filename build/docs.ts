import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { kinds } from '#plugins';
import { callsPage } from './docs/calls-page.ts';
import { errorsPage } from './docs/errors-page.ts';
import { lintConfig } from './docs/import-rules.ts';
import { kindsPage } from './docs/kinds-page.ts';
import { withCallerErrors, withOperatorErrors } from './docs/route-errors.ts';
import { settingsPage } from './docs/settings-page.ts';
import { limitsPage } from './limits-page.ts';

/**
 * Writes docs/reference and the tables of error codes in two guides from the declarations of the product, so that they
 * are always consistent, and the import rules of the linter from docs/ARCHITECTURE.md. `--check`: writes nothing and
 * exits with 1 and the names of outdated files.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

export const REFERENCE: Readonly<Record<string, () => string>> = {
  'docs/reference/kinds.md': () => kindsPage(kinds),
  'docs/reference/capabilities.md': () => callsPage(kinds),
  'docs/reference/errors.md': errorsPage,
  'docs/reference/limits.md': limitsPage,
  'docs/reference/settings.md': settingsPage,
  'docs/guides/call-a-route.md': () => withCallerErrors(textOf('docs/guides/call-a-route.md')),
  'docs/guides/troubleshooting.md': () => withOperatorErrors(textOf('docs/guides/troubleshooting.md')),
  '.oxlintrc.json': () => lintConfig(textOf('.oxlintrc.json'), textOf('docs/ARCHITECTURE.md')),
};

/** Formatted by Prettier, so that formatting the repository changes nothing. */
async function rendered(file: string): Promise<string> {
  const options = await resolveConfig(join(ROOT, file));
  return format(REFERENCE[file]?.() ?? '', { ...options, filepath: file });
}

/** The files under `root` that are missing or differ. */
export async function staleFiles(root: string): Promise<string[]> {
  const stale: string[] = [];
  for (const file of Object.keys(REFERENCE)) {
    const text = await readFile(join(root, file), 'utf8').catch(() => null);
    if (text !== (await rendered(file))) stale.push(file);
  }
  return stale;
}

export async function writeReference(root: string): Promise<void> {
  for (const file of Object.keys(REFERENCE)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), await rendered(file));
  }
}

async function main(options: readonly string[]): Promise<number> {
  const unknown = options.find((option) => option !== '--check');
  if (unknown !== undefined) {
    console.error(`build/docs.ts does not know ${unknown}; expected --check or nothing.`);
    return 1;
  }
  if (!options.includes('--check')) {
    await writeReference(ROOT);
    return 0;
  }
  const stale = await staleFiles(ROOT);
  for (const file of stale) console.error(`${file} is not what \`npm run docs\` makes; run it and commit the result.`);
  return stale.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
