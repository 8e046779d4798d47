/**
 * `node test/hardness/no-secrets.ts [--keys N]`: uses 10,000 keys and some other secrets, then searches for them in
 * every file, reply and line of the log. Takes a few minutes. Exits with 1 if one was found.
 */
import { parseArgs } from 'node:util';
import { searchForSecrets } from './no-secrets-run.ts';

const KEYS = 10_000;
const { values } = parseArgs({ options: { keys: { type: 'string' } } });
const keys = Number(values.keys ?? KEYS);
if (!Number.isInteger(keys) || keys < 1 || keys > 100_000)
  throw new Error(`--keys is "${values.keys}"; expected a whole number from 1 to 100,000`);
const { found, ...figures } = await searchForSecrets(keys);
console.log(figures);
for (const one of found) console.log(`found: ${one}`);
console.log(found.length === 0 ? 'none found' : `${found.length} places`);
process.exitCode = found.length === 0 ? 0 : 1;
