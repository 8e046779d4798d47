import { expect, test } from 'vitest';
import { proofOf } from './proof.ts';
import { rehearsal } from './samples.testing.ts';

const said = (over: Parameters<typeof rehearsal>[0]) =>
  proofOf(rehearsal(over)).clauses.map(({ text, count, wrong }) => `${wrong ? '!' : ''}${count} ${text}`);

test('a successful rehearsal reports how many events were accepted and delivered, and that none was lost', () => {
  expect(said({})).toEqual(['12 accepted', '12 delivered', '0 lost', '0 reordered']);
  expect(proofOf(rehearsal({})).verdict).toBe('proven');
});

test('events that waited before, and dead ones, are reported but are not a failure', () => {
  expect(said({ waitedBefore: 3, delivered: 14, dead: 1 })).toEqual([
    '12 accepted',
    '3 waitedBefore',
    '14 delivered',
    '1 dead',
    '0 lost',
    '0 reordered',
  ]);
  expect(proofOf(rehearsal({ waitedBefore: 3, delivered: 14, dead: 1 })).verdict).toBe('proven');
});

test('a loss or a changed order is a failure', () => {
  expect(said({ delivered: 11, lost: 1 })).toContain('!1 lost');
  expect(proofOf(rehearsal({ delivered: 11, lost: 1 })).verdict).toBe('broken');
  expect(proofOf(rehearsal({ reordered: 2 })).verdict).toBe('broken');
});

test('a rehearsal without events proves nothing', () => {
  expect(proofOf(rehearsal({ accepted: 0, delivered: 0 })).verdict).toBe('empty');
});
