import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from '#test/paths.ts';
import { tempDir } from '#test/temp-dir.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { importRows } from './docs/import-rules.ts';

/**
 * Runs the linter, with the rules of this checkout, on a file for each forbidden import in the table of ARCHITECTURE.
 */
const rows = importRows(readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8'));
const forbidden = rows.flatMap(({ files, never }) =>
  files
    .filter((glob) => glob.includes('*'))
    .flatMap((glob) => never.map((name, index) => ({ file: fileOf(glob, `forbidden-${index}`), name }))),
);
const ALLOWED = [
  ['common/languages/allowed.ts', '#common/clip.ts'],
  ['plugins/set/allowed.ts', '#sdk'],
  ['gateway/pipeline/allowed.ts', '#plugins'],
  ['gateway/http/allowed.ts', '#net/shares.ts'],
  ['main/desktop/allowed.ts', 'electron'],
  ['main/host/allowed.ts', 'node:fs'],
  ['renderer/features/keys/parts/allowed.ts', '../page.ts'],
  ['renderer/features/keys/allowed.ts', '#ui/panel.tsx'],
] as const;

const folder = dirPerFile(() => tempDir('sluice-imports-'));
let refused: string[];

beforeAll(async () => {
  // Types of the generated files cannot be checked.
  const { options: _, ...config } = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as {
    options: unknown;
  };
  write('.oxlintrc.json', JSON.stringify(config));
  for (const { file, name } of forbidden) write(file, importing(pathOf(name)));
  for (const [file, path] of ALLOWED) write(file, importing(path));
  refused = await refusedFiles();
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder.path, file)), { recursive: true });
  writeFileSync(join(folder.path, file), text);
}

/** A file that the glob matches. */
function fileOf(glob: string, name: string): string {
  const file = glob
    .replace('**/*.', `${name}.`)
    .replace('**', `${name}.ts`)
    .replace(/\*(?=\.ts$)/, name);
  return file.replaceAll('*', 'part');
}

/** A path that the name in the table forbids. */
function pathOf(name: string): string {
  if (['gateway', 'main', 'plugins', 'renderer', 'test'].includes(name)) return `../${name}/file.ts`;
  return name === 'node:' ? 'node:fs' : name.replace('/**', '/folder/file.ts').replace('*', 'file.ts');
}

const importing = (path: string): string => `import { one } from '${path}';\nconsole.log(one);\n`;

/** Files in which the linter reports a forbidden import. */
async function refusedFiles(): Promise<string[]> {
  const linter = join(ROOT, 'node_modules/oxlint/bin/oxlint');
  const done = await promisify(execFile)(process.execPath, [linter, '--format', 'json'], { cwd: folder.path }).catch(
    (error: { stdout: string }) => error,
  );
  const { diagnostics } = JSON.parse(done.stdout) as { diagnostics: { code: string; filename: string }[] };
  return diagnostics.filter(({ code }) => code.includes('no-restricted-imports')).map(({ filename }) => filename);
}

test.each(forbidden)('$file must not import $name', ({ file }) => {
  expect(refused).toContain(file);
});

test.each(ALLOWED)('%s may import %s', (file) => {
  expect(refused).not.toContain(file);
});
