import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILE_FORMATS } from '#common/capabilities/calls.ts';
import { CANARY, type FilesFixture, filesFixture, refusal, snapshot, WAYS } from './files-fixture.ts';

/** `invalid`: refused because of its format; `inside`: a normal name, which stays in the workspace. */
const HOSTILE: readonly (readonly [path: string, expected: 'invalid' | 'inside'])[] = [
  // Parent folders.
  ['..', 'invalid'],
  ['.', 'invalid'],
  ['../canary.txt', 'invalid'],
  ['../../canary.txt', 'invalid'],
  ['../../../canary.txt', 'invalid'],
  ['../../../../canary.txt', 'invalid'],
  ['a/../../canary.txt', 'invalid'],
  ['a/b/../../../canary.txt', 'invalid'],
  ['./../canary.txt', 'invalid'],
  ['./a.txt', 'invalid'],
  ['a/./b.txt', 'invalid'],
  ['a/..', 'invalid'],
  ['.../canary.txt', 'invalid'],
  ['..../canary.txt', 'invalid'],
  ['.. /canary.txt', 'invalid'],
  ['. ./canary.txt', 'invalid'],
  ['..\u0000/canary.txt', 'invalid'],
  ['..\u200b/canary.txt', 'invalid'],
  ['.\u00ad./canary.txt', 'invalid'],
  ['..;/canary.txt', 'inside'],
  // Escapes that have no meaning here.
  ['%2e%2e/canary.txt', 'inside'],
  ['%2e%2e%2fcanary.txt', 'inside'],
  ['..%2f..%2fcanary.txt', 'inside'],
  ['..%5ccanary.txt', 'inside'],
  ['%252e%252e%252fcanary.txt', 'inside'],
  ['..%c0%afcanary.txt', 'inside'],
  ['%00', 'inside'],
  // Letters that some systems convert to dots and slashes.
  ['\uff0e\uff0e/canary.txt', 'invalid'],
  ['\u2025/canary.txt', 'invalid'],
  ['..\uff0fcanary.txt', 'invalid'],
  ['..\uff3ccanary.txt', 'invalid'],
  ['\u2024\u2024/canary.txt', 'invalid'],
  ['..\u2215canary.txt', 'inside'],
  ['..\u2044canary.txt', 'inside'],
  // Backslashes.
  ['..\\canary.txt', 'invalid'],
  ['..\\..\\canary.txt', 'invalid'],
  ['a\\..\\..\\canary.txt', 'invalid'],
  ['a\\b.txt', 'invalid'],
  ['\\canary.txt', 'invalid'],
  // Absolute, drives, shares, device paths, schemes.
  ['/', 'invalid'],
  ['/etc/passwd', 'invalid'],
  ['//etc/passwd', 'invalid'],
  ['/proc/self/environ', 'invalid'],
  ['/proc/self/fd/0', 'invalid'],
  ['C:', 'invalid'],
  ['C:canary.txt', 'invalid'],
  ['C:/Windows/win.ini', 'invalid'],
  ['C:\\Windows\\win.ini', 'invalid'],
  ['c:../canary.txt', 'invalid'],
  ['\\\\server\\share\\canary.txt', 'invalid'],
  ['//server/share/canary.txt', 'invalid'],
  ['\\\\?\\C:\\canary.txt', 'invalid'],
  ['//?/C:/canary.txt', 'invalid'],
  ['//./pipe/canary', 'invalid'],
  ['\\\\.\\PhysicalDrive0', 'invalid'],
  ['\\??\\C:\\canary.txt', 'invalid'],
  ['file:///etc/passwd', 'invalid'],
  ['data:text/plain,a', 'invalid'],
  ['~/canary.txt', 'inside'],
  ['~root/canary.txt', 'inside'],
  ['$HOME/canary.txt', 'inside'],
  ['%USERPROFILE%/canary.txt', 'inside'],
  ['$(touch canary.txt)', 'inside'],
  ['`id`', 'inside'],
  ['-rf', 'inside'],
  // Empty names.
  ['a//b.txt', 'invalid'],
  ['a/', 'invalid'],
  ['a/b/', 'invalid'],
  [' ', 'invalid'],
  // Control and invisible characters.
  ['a\u0000.txt', 'invalid'],
  ['canary.txt\u0000.png', 'invalid'],
  ['\u0000', 'invalid'],
  ['a\nb.txt', 'invalid'],
  ['a\r.txt', 'invalid'],
  ['a\tb.txt', 'invalid'],
  ['a\u001b[31m.txt', 'invalid'],
  ['a\u007f.txt', 'invalid'],
  ['a\u0085.txt', 'invalid'],
  ['a\u2028.txt', 'invalid'],
  ['a\u202etxt.exe', 'invalid'],
  ['\ufeffa.txt', 'invalid'],
  ['a\ud800.txt', 'invalid'],
  // Devices, on every system, so that a project can move.
  ['CON', 'invalid'],
  ['con', 'invalid'],
  ['nul', 'invalid'],
  ['NUL.txt', 'invalid'],
  ['nul.tar.gz', 'invalid'],
  ['PRN', 'invalid'],
  ['aux.json', 'invalid'],
  ['COM1', 'invalid'],
  ['com9.log', 'invalid'],
  ['COM0', 'invalid'],
  ['COM¹', 'invalid'],
  ['lpt1', 'invalid'],
  ['LPT³.txt', 'invalid'],
  ['CONIN$', 'invalid'],
  ['conout$', 'invalid'],
  ['CLOCK$', 'invalid'],
  ['\uff23\uff2f\uff2e', 'invalid'],
  ['aux /a.txt', 'invalid'],
  ['NUL .txt', 'invalid'],
  ['reports/con/a.txt', 'invalid'],
  ['COM10', 'inside'],
  ['console.log', 'inside'],
  ['nullable.txt', 'inside'],
  // Alternate streams and characters that Windows drops or reserves.
  ['a.txt:hidden', 'invalid'],
  ['a.txt::$DATA', 'invalid'],
  ['a:$INDEX_ALLOCATION/b.txt', 'invalid'],
  [':a', 'invalid'],
  ['a.txt.', 'invalid'],
  ['a.txt...', 'invalid'],
  ['a.txt ', 'invalid'],
  ['a./b.txt', 'invalid'],
  ['a /b.txt', 'invalid'],
  [' a.txt', 'invalid'],
  ['a*.txt', 'invalid'],
  ['a?.txt', 'invalid'],
  ['a<b.txt', 'invalid'],
  ['a>b.txt', 'invalid'],
  ['a|b.txt', 'invalid'],
  ['a"b.txt', 'invalid'],
  // Short names.
  ['PROGRA~1', 'invalid'],
  ['progra~1/a.txt', 'invalid'],
  ['CANARY~1.TXT', 'invalid'],
  ['SL1A2B~9.TMP', 'invalid'],
  // Too long, too deep.
  ['a'.repeat(256), 'invalid'],
  ['é'.repeat(128), 'invalid'],
  [`${'a'.repeat(252)}.txt`, 'invalid'],
  [Array(17).fill('a').join('/'), 'invalid'],
  // Internal names of the gateway.
  ['.sluice-0123456789abcdef01234567.tmp', 'invalid'],
  ['.SLUICE-x', 'invalid'],
  ['a/.sluice-x/b.txt', 'invalid'],
  // Names with a special meaning for objects.
  ['__proto__', 'inside'],
  ['constructor/prototype', 'inside'],
  ['toString', 'inside'],
];

describe.each(WAYS)('folders opened %s', (_way, open) => {
  let fixture: FilesFixture;
  /** Places outside that the paths of the table could lead to: their canaries must be unchanged. */
  let before: string[];
  const everythingElse = (): string[] => snapshot(realpathSync(fixture.dir), realpathSync(fixture.root));

  beforeAll(async () => {
    fixture = await filesFixture(open);
    writeFileSync(join(fixture.root, 'a.txt'), 'inside');
    mkdirSync(join(fixture.root, 'b'));
    before = everythingElse();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test.each(HOSTILE)('%j is %s', async (path, expected) => {
    const wanted = expected === 'invalid' ? 'file_path_invalid' : 'file_unknown';
    for (const format of FILE_FORMATS)
      expect(await refusal(fixture.call('files.read', { path, format })), format).toBe(wanted);
    expect(await refusal(fixture.call('files.list', { folder: path }))).toBe(wanted);
    const removed = await refusal(fixture.call('files.remove', { path }));
    expect(removed).toEqual(expected === 'invalid' ? wanted : { value: false });
    const written = await refusal(fixture.write(path, 'hostile'));
    expect(written).toEqual(expected === 'invalid' ? wanted : { value: { bytes: 7 } });
    if (expected === 'inside') expect(await fixture.read(path)).toBe('hostile');
    expect(everythingElse()).toEqual(before);
  });

  test('absolute paths of this machine are refused, and no error contains them', async () => {
    const paths = [join(fixture.outside, 'canary.txt'), join(fixture.root, 'a.txt'), homedir(), tmpdir()];
    for (const path of paths) {
      expect(await refusal(fixture.read(path))).toBe('file_path_invalid');
      expect(await refusal(fixture.write(path))).toBe('file_path_invalid');
    }
    const error = await fixture.read('none.txt').catch((thrown: unknown) => thrown);
    expect((error as Error).message).not.toContain(fixture.dir);
    expect(everythingElse()).toEqual(before);
    expect(before.filter((line) => line.includes('canary.txt'))).toHaveLength(5);
    expect(CANARY).not.toBe('');
  });
});

test('the table has the expected number of rows', () => {
  expect(HOSTILE.length).toBeGreaterThanOrEqual(60);
  expect(new Set(HOSTILE.map(([path]) => path)).size).toBe(HOSTILE.length);
});
