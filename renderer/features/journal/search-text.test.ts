import { expect, test } from 'vitest';
import { askedOf } from './search-text.ts';

const consumers = [{ id: 'AAAABBBBCCCC', name: 'Labeller L2' }];
const asked = (text: string) => askedOf(text, consumers);

test('distinguishes a known code, a route, a consumer and anything else', () => {
  expect(asked(' scope_missing ')).toEqual({ kind: 'code', value: 'scope_missing' });
  expect(asked('/api/v1/orders/:id')).toEqual({ kind: 'route', value: '/api/v1/orders/:id' });
  expect(asked('labeller l2')).toEqual({ kind: 'consumer', value: 'AAAABBBBCCCC' });
  expect(asked('AAAABBBBCCCC')).toEqual({ kind: 'consumer', value: 'AAAABBBBCCCC' });
  expect(asked('01K7E9-4QX2-9MTB')).toEqual({ kind: 'requestId', value: '01K7E9-4QX2-9MTB' });
  expect(asked('  ')).toEqual({ kind: 'nothing' });
});

test('of a key that was pasted whole only its id is asked about', () => {
  const pasted = `slc_DDDDEEEEFFFF_${'x'.repeat(49)}`;
  expect(asked(pasted)).toEqual({ kind: 'consumer', value: 'DDDDEEEEFFFF' });
  expect(asked('slc_DDDDEEEEFFFF')).toEqual({ kind: 'consumer', value: 'DDDDEEEEFFFF' });
  expect(asked(`X-API-Key: ${pasted}`)).toEqual({ kind: 'consumer', value: 'DDDDEEEEFFFF' });
  expect(asked(`/api/v1/orders?key=${pasted}`)).toEqual({ kind: 'consumer', value: 'DDDDEEEEFFFF' });
});

test('a word that every object knows is not taken for a code', () => {
  expect(asked('constructor')).toEqual({ kind: 'requestId', value: 'constructor' });
});
