import { expect, test } from 'vitest';
import { askedOf } from './search-text.ts';

test('a text is searched without the surrounding white space', () => {
  expect(askedOf(' scope_missing ')).toEqual({ kind: 'text', value: 'scope_missing' });
  expect(askedOf('/api/v1/orders/:id')).toEqual({ kind: 'text', value: '/api/v1/orders/:id' });
  expect(askedOf('labeller l2')).toEqual({ kind: 'text', value: 'labeller l2' });
  expect(askedOf('10.20.0.0/16')).toEqual({ kind: 'text', value: '10.20.0.0/16' });
  expect(askedOf('slc_DDDD')).toEqual({ kind: 'text', value: 'slc_DDDD' });
  expect(askedOf('  ')).toEqual({ kind: 'nothing' });
});

test('a pasted complete key is searched only by its ID', () => {
  const pasted = `slc_DDDDEEEEFFFF_${'x'.repeat(49)}`;
  expect(askedOf(pasted)).toEqual({ kind: 'key', value: 'DDDDEEEEFFFF' });
  expect(askedOf('slc_DDDDEEEEFFFF')).toEqual({ kind: 'key', value: 'DDDDEEEEFFFF' });
  expect(askedOf(`X-API-Key: ${pasted}`)).toEqual({ kind: 'key', value: 'DDDDEEEEFFFF' });
  expect(askedOf(`/api/v1/orders?key=${pasted}`)).toEqual({ kind: 'key', value: 'DDDDEEEEFFFF' });
});

test('a request ID copied from a reply is searched alone', () => {
  expect(askedOf('K7aEb94QX2xM-1z')).toEqual({ kind: 'request', value: 'K7aEb94QX2xM-1z' });
  expect(askedOf('K7aEb94QX2xM')).toEqual({ kind: 'text', value: 'K7aEb94QX2xM' });
});
