import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeApiKey, makeServiceToken } from '#common/api-key.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { readArguments } from './arguments.ts';
import { serviceToken, TOKEN_FLAG } from './service-token.ts';

const folder = dirPerTest();
const { value } = makeServiceToken(randomBytes);
const FLAGS = { ...TOKEN_FLAG, user: { value: 'NAME', help: '' } };
const tokenOf = (args: string[], environment = {}) => serviceToken(readArguments('plan', args, FLAGS, []), environment);

test('the file takes precedence over the variable, and a user over the variable', async () => {
  const file = join(folder.path, 'token');
  writeFileSync(file, `${value}\r\n`);
  const other = { SLUICE_TOKEN: makeServiceToken(randomBytes).value };
  expect(await tokenOf(['--token-file', file], other)).toBe(value);
  expect(await tokenOf([], { SLUICE_TOKEN: value })).toBe(value);
  expect(await tokenOf(['--user', 'anna'], other)).toBeNull();
  expect(await tokenOf([])).toBeNull();
});

test('what is no token is refused by its source, and not repeated', async () => {
  const wrong = makeApiKey(randomBytes).value;
  const refused = await tokenOf([], { SLUICE_TOKEN: wrong }).catch((error: Error) => error.message);
  expect(refused).toBe('SLUICE_TOKEN has no service token; expected one line that begins with slt_');
  const file = join(folder.path, 'token');
  writeFileSync(file, 'x'.repeat(5_000));
  await expect(tokenOf(['--token-file', file])).rejects.toThrow(`${file} has no service token`);
  await expect(tokenOf(['--token-file', folder.path])).rejects.toThrow('it is a folder');
  await expect(tokenOf(['--token-file', join(folder.path, 'none')])).rejects.toThrow('it does not exist');
  await expect(tokenOf(['--user', 'anna', '--token-file', file])).rejects.toThrow('expected one of them');
});
