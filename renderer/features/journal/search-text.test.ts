import { expect, test } from 'vitest';
import { filterOf } from './search-text.ts';

test('a known code, a route and anything else are told apart', () => {
  expect(filterOf(' scope_missing ')).toEqual({ code: 'scope_missing' });
  expect(filterOf('/api/v1/orders/:id')).toEqual({ route: '/api/v1/orders/:id' });
  expect(filterOf('01K7E9-4QX2-9MTB')).toEqual({ requestId: '01K7E9-4QX2-9MTB' });
  expect(filterOf('  ')).toEqual({});
});

test('a word that every object knows is not taken for a code', () => {
  expect(filterOf('constructor')).toEqual({ requestId: 'constructor' });
});
