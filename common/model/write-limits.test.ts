import { expect, test } from 'vitest';
import { fieldErrors } from './fields.ts';
import { tagDefinition } from './tag.ts';

const source = { provider: 'memory' };
const faults = (more: object) => {
  const read = tagDefinition.safeParse({ path: 'a', type: 'number', source, ...more });
  return read.success ? [] : fieldErrors(read.error).map(({ path, message }) => `${path}: ${message}`);
};

test('limits of all kinds are accepted', () => {
  const writeLimits = {
    min: 0,
    max: 240,
    maxStep: 5,
    perSecond: 10,
    onlyWhile: [{ tag: 'line7/mode', is: '=', value: 'Remote', maxAge: 2 }],
  };
  expect(faults({ writeLimits })).toEqual([]);
  expect(faults({ writeLimits: { onlyWhile: [{ tag: 'line7/heartbeat', maxAge: 2 }] } })).toEqual([]);
});

test.each([
  [{ min: 5, max: 4 }, 'writeLimits.max: expected a number of 5 or more'],
  [{ maxStep: 0 }, 'writeLimits.maxStep: expected a number above 0'],
  [{ perSecond: 0 }, 'writeLimits.perSecond: expected writes from 1 to 1,000'],
  [{ onlyWhile: [{ tag: 'a b' }] }, 'writeLimits.onlyWhile.0.tag: expected a tag path'],
  [{ onlyWhile: [{ tag: 'a', is: '=' }] }, 'writeLimits.onlyWhile.0.value: expected a value of the type'],
  [{ onlyWhile: [{ tag: 'a', value: 1 }] }, 'writeLimits.onlyWhile.0.is: expected one of'],
  [{ onlyWhile: [{ tag: 'a', is: '<', value: 'x' }] }, 'writeLimits.onlyWhile.0.value: expected a number'],
  [
    { onlyWhile: Array.from({ length: 9 }, () => ({ tag: 'a' })) },
    'writeLimits.onlyWhile: expected at most 8 conditions',
  ],
  [{ other: 1 }, 'writeLimits: unknown field "other"'],
])('%j is refused by its field', (writeLimits, message) => {
  expect(faults({ writeLimits }).join()).toContain(message);
});

test('limits of numbers need a number, and a tag that stops writes is boolean', () => {
  expect(faults({ type: 'boolean', writeLimits: { max: 1 } }).join()).toContain(
    'writeLimits.max: expected no such limit',
  );
  expect(faults({ stopsWrites: true }).join()).toContain('type: expected the type boolean');
  expect(faults({ type: 'boolean', stopsWrites: true, writeLimits: { perSecond: 1 } })).toEqual([]);
});
