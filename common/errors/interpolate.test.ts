import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { numberIn, sentenceOf } from './interpolate.ts';

const INTEGERS = [0, -0, 1, 12, 999, 1000, 12_345, 123_456, 1_048_576, 2 ** 31, Number.MAX_SAFE_INTEGER, 2 ** 53, 1e21];
const OTHERS = [0.5, 0.05, 1.25, 1234.5, 1234.567891, 1234.5678912, 0.1 + 0.2, 1e-6, 1e-7, 1e16, NaN, Infinity];

test.each(['en', 'de'])('numbers are written as Intl writes them, in %s', (language) => {
  const written = new Intl.NumberFormat(language, { maximumFractionDigits: 6 });
  for (const number of [...INTEGERS, ...OTHERS].flatMap((value) => [value, -value]))
    expect(numberIn(number, language), String(number)).toBe(written.format(number));
});

test('numbers and lists are filled in', () => {
  const values = { max: 1_048_576, names: ['a', 'b'], what: 'bytes' };
  expect(sentenceOf('{{names}}: at most {{max}} {{what}}', values, 'en')).toBe('a, b: at most 1,048,576 bytes');
  expect(sentenceOf('{{names}}: höchstens {{max}}', values, 'de')).toBe('a, b: höchstens 1.048.576');
});

// A guard of the start of host and gateway: the first use of Intl takes 25 ms in each process.
test('the contract and the texts of errors are loaded without Intl', () => {
  const files = ['./rules.ts', '../contract/contract.ts', '../model/settings.ts'].map((file) =>
    import.meta.resolve(file),
  );
  const code = `
    const used = [];
    const formatOf = (name) => { const own = Intl[name]; Intl[name] = function (...given) { used.push(name); return new own(...given); }; };
    for (const name of ['NumberFormat', 'DateTimeFormat', 'Collator']) formatOf(name);
    for (const [owner, name] of [[Number.prototype, 'toLocaleString'], [Date.prototype, 'toLocaleString'], [String.prototype, 'localeCompare']]) {
      const own = owner[name];
      owner[name] = function (...given) { used.push(name); return own.apply(this, given); };
    }
    for (const file of ${JSON.stringify(files)}) await import(file);
    console.log(used.join());`;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).trim()).toBe('');
});
