import { expect, test } from 'vitest';
import { searchForSecrets } from './no-secrets-run.ts';

const KEYS = 60;

test('no file, reply or log line contains a key or another secret', { timeout: 180_000 }, async () => {
  const report = await searchForSecrets(KEYS);
  expect(report.found).toEqual([]);
  expect(report.secrets).toBeGreaterThan(KEYS);
  expect(report.replies).toBeGreaterThan(30);
});

test('the search finds a planted key, unencrypted or encoded', { timeout: 180_000 }, async () => {
  const { found } = await searchForSecrets(2, (key) => `x${key} ${Buffer.from(`ab${key}`).toString('base64')}`);
  expect(found).toEqual(['API key in /planted']);
  const coded = await searchForSecrets(2, (key) => Buffer.from(`ab${key.slice(17)}`).toString('base64'));
  expect(coded.found).toEqual(['API key in /planted']);
});
