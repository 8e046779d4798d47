import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { GATEWAY_CODES } from '#common/errors/gateway-codes.ts';
import { SETTINGS } from '#common/model/settings.ts';
import { curlCall } from '#ui/calls/curl.ts';
import { callPlan, KEY_PLACEHOLDER } from '#ui/calls/plan.ts';
import { readArguments } from '../main/cli/arguments.ts';
import { COMMANDS } from '../main/cli/commands.ts';
import { desktop } from '#common/languages/en/desktop.ts';
import { later } from '#common/languages/en/later.ts';
import { ui as en } from '#common/languages/en/ui.ts';
import { csharpCall } from '../renderer/ui/calls/csharp.ts';
import { lhttpCall } from '../renderer/ui/calls/lhttp.ts';
import { nodeRedCall } from '../renderer/ui/calls/node-red.ts';
import { pythonCall } from '../renderer/ui/calls/python.ts';

/** Names in the guides must exist: commands with their flags, files, error codes, texts of the UI. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const GUIDES = globSync(['README.md', 'docs/guides/*.md', 'docs/plugins/guide.md'], { cwd: ROOT });
/** Guides for readers with the UI in front of them: texts in italics are on a button or a page. */
const FOR_THE_WINDOW = ['install', 'operate', 'backup-and-restore', 'troubleshooting'].map(
  (name) => `docs/guides/${name}.md`,
);
const CALL_A_ROUTE = 'docs/guides/call-a-route.md';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The text of each fence of that language, without its indentation. */
function fences(text: string, language: string): string[] {
  const found = [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^ *\`\`\``, 'gm'))];
  return found.map(([, indent = '', body = '']) => body.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trimEnd());
}

/** Each `sluice …` that is to be typed, from `sluice` on. */
function typed(text: string): string[] {
  const lines = fences(text, 'sh').flatMap((block) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'));
  return lines
    .map((line) => line.replace(/\s+#.*$/, '').replace(/npm run (?=sluice -- )/, ''))
    .flatMap((line) => /(?:^|\s|\.\/)(sluice (?:-- )?[a-z].*)$/.exec(line)?.[1] ?? [])
    .map((line) => line.replace('sluice -- ', 'sluice '));
}

/** The words after `sluice`, as a shell splits them as far as the guides need it. */
function wordsOf(line: string): string[] {
  const words = line.replace(/ < \S+$/, '').match(/"[^"]*"|\S+/g) ?? [];
  return words.slice(1).map((word) => word.replaceAll('"', ''));
}

function commandOf(words: readonly string[]) {
  return COMMANDS.find(({ name }) => words.join(' ').startsWith(name));
}

test('every command that is to be typed exists, with its flags and arguments', () => {
  const lines = GUIDES.flatMap((file) => typed(read(file)).map((line) => ({ file, line })));
  expect(lines.length).toBeGreaterThan(15);
  for (const { file, line } of lines) {
    const words = wordsOf(line);
    const command = commandOf(words);
    expect(command, `${file}: ${line}`).toBeDefined();
    if (command === undefined) continue;
    const rest = words.slice(command.name.split(' ').length);
    expect(() => readArguments(command.name, rest, command.flags, command.positionals), file).not.toThrow();
  }
});

test('every command that is named in a sentence exists', () => {
  for (const file of GUIDES) {
    for (const [, words = ''] of read(file).matchAll(/(?<!no )`(?:sudo )?sluice ([a-z][^`]*)`/g))
      expect(commandOf(words.split(' ')), `${file}: sluice ${words}`).toBeDefined();
  }
});

/** As GitHub makes it of a heading. */
function anchorsOf(file: string): string[] {
  const headings = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every file, picture and heading that is linked is there', () => {
  for (const file of GUIDES) {
    for (const [, target = ''] of read(file).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const linked = path === '' ? file : join(dirname(file), path);
      expect(existsSync(join(ROOT, linked)), `${file}: ${target}`).toBe(true);
      if (anchor !== undefined && linked.endsWith('.md'))
        expect(anchorsOf(linked), `${file}: ${target}`).toContain(anchor);
    }
  }
});

test('the table of errors has each one that a caller of a route can get, with its status', () => {
  const rows = [...read(CALL_A_ROUTE).matchAll(/^\| (\d{3}) +\| `(\w+)`/gm)];
  const told = Object.fromEntries(rows.map(([, status, code = '']) => [code, Number(status)]));
  const codes = Object.entries(GATEWAY_CODES);
  expect(told).toEqual(Object.fromEntries(codes.map(([code, { status }]) => [code, status])));
});

test('the calls are those that the page Routes writes', () => {
  const guide = read(CALL_A_ROUTE);
  const body = { orderId: 'WO-1042', product: 'Cola', quantity: 5 };
  const route = { method: 'POST', pattern: '/api/v1/sample/orders', isPublic: false };
  const plan = callPlan(route, 'http://10.20.4.12:8090', body);
  expect(fences(guide, 'sh')).toContain(curlCall(plan, KEY_PLACEHOLDER).trimEnd());
  expect(fences(guide, 'python')).toEqual([pythonCall(plan, 35).trimEnd()]);
  expect(fences(guide, 'csharp')).toEqual([csharpCall(plan, 35).trimEnd()]);
  expect(fences(guide, 'scl')).toEqual([lhttpCall(plan).trimEnd()]);
  const [flow = ''] = fences(guide, 'json');
  expect(JSON.parse(flow)).toEqual(JSON.parse(nodeRedCall(plan, 'Take orders')));
});

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

test.each(FOR_THE_WINDOW)('texts in italics in %s are in the UI', (file) => {
  const texts = [...textsIn(en), ...textsIn(later), ...textsIn(desktop), ...textsIn(SETTINGS)];
  const named = [...read(file).matchAll(/(?<![\w`/])_([A-Z][^_\n]*?)_(?!\w)/g)].map(([, words = '']) => words);
  expect(named.length).toBeGreaterThan(3);
  for (const words of named)
    expect(
      texts.some((text) => text.includes(words)),
      words,
    ).toBe(true);
});
