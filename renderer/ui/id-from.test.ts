import { expect, test } from 'vitest';
import { idFrom, proposedId } from './id-from.ts';

const propose = (name: string, taken: string[] = []) => proposedId(name, 'pipeline', new Set(taken));

test('a name in Latin letters gives the ID that most people would have typed', () => {
  expect(idFrom(' Füllen, Linie 2! ')).toBe('fullen-linie-2');
  expect(propose('Order intake')).toBe('order-intake');
  expect(propose('Order intake', ['order-intake'])).toBe('order-intake-2');
  expect(propose('7')).toBe('7');
});

test.each(['充填ライン', 'Взвешивание', 'Линия 7', '***'])('%s gets the next free ID of its kind', (name) => {
  expect(propose(name)).toBe('pipeline-1');
  expect(propose(name, ['orders', 'labels'])).toBe('pipeline-3');
  expect(propose(name, ['orders', 'pipeline-3'])).toBe('pipeline-4');
});

test('an empty name has no ID', () => {
  expect(propose('  ')).toBe('');
});
