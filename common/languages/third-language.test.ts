import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '#test/paths.ts';
import { tempDir } from '#test/temp-dir.ts';
import { dirPerFile } from '#test/test-dir.ts';

/**
 * A made-up language in a copy of the sources: a folder and an entry in languages.ts, and nothing else. Its texts are the
 * German ones, because English has no texts of kinds and rules.
 */
const COPIED = ['common', 'main/desktop', 'renderer/api', 'renderer/app', 'renderer/ui/part'];
const LIST = 'common/languages/languages.ts';
const FOLDER = 'common/languages/xx';
const COMPILED = { extends: './tsconfig.base.json', compilerOptions: { types: ['node'] }, files: [LIST] };
const ENTRY_OF_GERMAN = /^ {2}de: \{[^}]*\},$/m;
/** The first text of a file that is alone on its line. */
const ONE_TEXT = /^ +([\w$]+|'[^'\n]+'): '[^'\n]+',\n/m;
/** Only imports the other files of the folder. */
const WITHOUT_TEXTS = 'errors.ts';

const run = promisify(execFile);
const checkout = dirPerFile(() => tempDir('sluice-language-'));
const file = (path: string): string => join(checkout.path, path);

beforeAll(() => {
  for (const part of COPIED) cpSync(join(ROOT, part), file(part), { recursive: true });
  for (const part of ['package.json', 'tsconfig.base.json']) cpSync(join(ROOT, part), file(part));
  symlinkSync(join(ROOT, 'node_modules'), file('node_modules'));
  writeFileSync(file('tsconfig.json'), JSON.stringify(COMPILED));
  cpSync(file('common/languages/de'), file(FOLDER), { recursive: true });
  const list = readFileSync(file(LIST), 'utf8');
  const both = (entry: string): string => `${entry}\n${entry.replaceAll(/\bde\b/g, 'xx')}`;
  writeFileSync(file(LIST), list.replace(ENTRY_OF_GERMAN, both));
});

/** Messages of the compiler about the list of languages and everything that it imports. */
async function compilerOutput(): Promise<string> {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const done = await run(process.execPath, [compiler, '-p', checkout.path]).catch((error: { stdout: string }) => error);
  return done.stdout;
}

/** Output of a program in the copy. */
async function output(program: string): Promise<string> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: checkout.path });
  return stdout.trim();
}

test('compiles when its folder is complete', async () => {
  expect(await compilerOutput()).toBe('');
});

test('the desktop app speaks it', async () => {
  const path = `${FOLDER}/desktop.ts`;
  writeFileSync(file(path), readFileSync(file(path), 'utf8').replace("'Sluice öffnen'", "'Xluice xen'"));
  const program = `import { wordsFor } from './main/desktop/words.ts'; console.log((await wordsFor('xx-YY')).open);`;
  expect(await output(program)).toBe('Xluice xen');
});

test('the admin UI offers it', async () => {
  const program = `import { LANGUAGE_CHOICES } from './renderer/app/i18n.ts'; console.log(LANGUAGE_CHOICES.map(({ value }) => value).join());`;
  expect(await output(program)).toBe('en,de,xx');
});

describe('a missing text', () => {
  const removed = new Map<string, string>();
  let errors = '';

  beforeAll(async () => {
    for (const name of readdirSync(file(FOLDER), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name === WITHOUT_TEXTS) continue;
      const path = file(join(FOLDER, name));
      const source = readFileSync(path, 'utf8');
      removed.set(name, ONE_TEXT.exec(source)?.[1]?.replaceAll("'", '') ?? `no text found in ${name}`);
      writeFileSync(path, source.replace(ONE_TEXT, ''));
    }
    errors = await compilerOutput();
  });

  test('is reported by the compiler, in whichever file of the folder', () => {
    expect(removed.size).toBeGreaterThan(25);
    for (const [name, text] of removed) expect(namedAsMissing(errors), name).toContain(text);
  });
});

/** The names of properties that messages of the compiler call missing, one by one or as a list. */
function namedAsMissing(messages: string): string[] {
  const single = [...messages.matchAll(/Property (\S+) is missing in type/g)].map(([, name = '']) =>
    name.replaceAll(/['"]/g, ''),
  );
  const lists = [...messages.matchAll(/is missing the following properties from type '.*': (.+)$/gm)];
  return [...single, ...lists.flatMap(([, names = '']) => names.replaceAll('"', '').split(', '))];
}
