import { expect, test } from 'vitest';
import { type RowResult, sentenceOf } from './results.ts';
import { ROWS } from './rows.ts';
import { demoTable, testsTable } from './table.ts';

const demo = { kind: 'demo', installLines: 4, installSeconds: 20, outcome: 'served', detail: '' } as const;
const served: RowResult = {
  id: 'node-20',
  node: 'v20.20.2',
  npm: '10.8.2',
  result: { ...demo, firstCallSeconds: 61.4 },
};
const refused: RowResult = {
  id: 'debian-12',
  node: 'v16.0.0',
  npm: '8.0.0',
  result: { ...demo, firstCallSeconds: null, outcome: 'refused', detail: 'Sluice needs Node 18 | newer' },
};
const tested: RowResult = {
  id: 'debian-13-root',
  node: 'v20.19.2',
  npm: '9.2.0',
  result: { kind: 'tests', outcome: 'passed', detail: '9 passed, 0 failed, 1 skipped', minutes: 14.26, skips: ['x'] },
};

test('a demo is a row with its seconds or its refusal, in the order of the rows', () => {
  expect(demoTable(ROWS, [served, tested, refused]).split('\n').slice(2)).toEqual([
    '| Debian 12, its nodejs and npm | dev | 16.0.0 | 8.0.0 | 4 | – | refused: Sluice needs Node 18 \\| newer |',
    '| Debian 12 | dev | 20.20.2 | 10.8.2 | 4 | 61 s | served |',
    '',
  ]);
});

test('a test run is a row with its minutes and counts', () => {
  expect(testsTable(ROWS, [served, tested]).split('\n').slice(2)).toEqual([
    '| Debian 13, its nodejs and npm | root | 20.19.2 | 9.2.0 | 14.3 min | 9 passed, 0 failed, 1 skipped |',
    '',
  ]);
});

test.each([
  ['Sluice’s own line', 'npm warn x\nnpm error code 1\nSluice needs Node 18.\nend', 'Sluice needs Node 18.'],
  ['npm’s first error', 'npm warn x\nnpm ERR! code E1\nnpm ERR! more\nend', 'npm ERR! code E1'],
  ['the last line', 'one\ntwo\n\n', 'two'],
])('%s of a failure is shown', (_, text, sentence) => {
  expect(sentenceOf(text)).toBe(sentence);
});
