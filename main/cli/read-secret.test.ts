import { PassThrough } from 'node:stream';
import { beforeEach, expect, test, vi } from 'vitest';
import { readNewSecret, readSecret } from './read-secret.ts';

const watchTerminal = () => vi.spyOn(process.stderr, 'write');
let asked: ReturnType<typeof watchTerminal>;
beforeEach(() => {
  asked = watchTerminal();
});

/** A keyboard: each line is typed when it is requested. */
function terminal(...lines: string[]): NodeJS.ReadStream {
  let shows = true;
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (raw: boolean) => (shows = !raw) });
  asked.mockImplementation((text) => {
    if (!String(text).endsWith(': ')) return true;
    if (shows) throw new Error('what is typed now would be shown');
    setImmediate(() => input.write(`${lines.shift() ?? ''}\r`));
    return true;
  });
  return input as unknown as NodeJS.ReadStream;
}

const prompts = (): string[] => asked.mock.calls.map(([text]) => String(text)).filter((text) => text.endsWith(': '));

test('an existing secret is typed once', async () => {
  expect(await readSecret('Passphrase', terminal('correct horse'))).toBe('correct horse');
  expect(prompts()).toEqual(['Passphrase: ']);
});

test('a new secret is typed twice', async () => {
  expect(await readNewSecret('Passphrase', terminal('correct horsf\u007fe', 'correct horse'))).toBe('correct horse');
  expect(prompts()).toEqual(['Passphrase: ', 'Passphrase, again: ']);
});

const ESC = '\u001b';
test.each([
  ['an arrow key', `correct ${ESC}[Ahorse`],
  ['an arrow key in application mode', `correct ${ESC}OAhorse`],
  ['Ctrl and an arrow key', `correct ${ESC}[1;5Dhorse`],
  ['Delete', `correct ${ESC}[3~horse`],
  ['F1 on a Linux console', `correct ${ESC}[[Ahorse`],
  ['Alt and a letter', `correct ${ESC}bhorse`],
  ['Escape before Enter', `correct horse${ESC}`],
  ['a paste that is marked as one', `${ESC}[200~correct horse${ESC}[201~`],
  ['a backspace right after Escape', `correct horsf${ESC}\u007fe`],
])('%s adds nothing to it', async (_, keys) => {
  expect(await readSecret('Passphrase', terminal(keys))).toBe('correct horse');
});

test.each([
  ['a letter', 'x'],
  ['an emoji of two code units', '🔑'],
  ['one of several code points', '👩‍🔧'],
  ['a letter and its accent', 'e\u0301'],
])('a backspace removes %s completely', async (_, character) => {
  expect(await readSecret('Passphrase', terminal(`correct hors${character}\u007fe`))).toBe('correct horse');
});

test('a key whose bytes arrive one by one adds nothing to it, and text after a lone Escape is typed', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  asked.mockImplementation(() => true);
  const secret = readSecret('Passphrase', input as unknown as NodeJS.ReadStream);
  for (const bytes of ['correct ', ESC, '[', 'A', ESC, 'h', 'orse', '\r']) {
    input.write(bytes);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await secret).toBe('correct horse');
});

test('a new secret that is typed in two ways is refused', async () => {
  await expect(readNewSecret('Passphrase', terminal('correct horse', 'correct house'))).rejects.toThrow(
    'Passphrase: the two entries differ; expected the same twice. Nothing was changed',
  );
});

test('a script passes a secret in one line', async () => {
  const input = new PassThrough();
  input.end('correct horse\r\nrest');
  expect(await readNewSecret('Passphrase', input as unknown as NodeJS.ReadStream)).toBe('correct horse');
  expect(prompts()).toEqual([]);
});
