import { expect, test } from 'vitest';
import { readTraceparent } from './traceparent.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

test('a trace of version 00 is accepted unchanged', () => {
  for (const flags of ['00', '01', 'ff'])
    expect(readTraceparent(`00-${TRACE}-${PARENT}-${flags}`)).toBe(`00-${TRACE}-${PARENT}-${flags}`);
});

test.each([
  ['nothing', ''],
  ['another version', `01-${TRACE}-${PARENT}-01`],
  ['the forbidden version', `ff-${TRACE}-${PARENT}-01`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
  ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['upper case', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
  ['a short id', `00-${TRACE.slice(1)}-${PARENT}-01`],
  ['more after it', `00-${TRACE}-${PARENT}-01-x`],
  ['two of them', `00-${TRACE}-${PARENT}-01,00-${TRACE}-${PARENT}-01`],
  ['a line break after it', `00-${TRACE}-${PARENT}-01\n`],
])('%s is not a trace', (_what, text) => {
  expect(readTraceparent(text)).toBe(null);
});
