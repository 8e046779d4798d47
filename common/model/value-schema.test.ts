import { expect, test } from 'vitest';
import { schemaOfValue } from './value-schema.ts';

test('items of the same type share one schema, others get any', () => {
  expect(schemaOfValue([{ a: 1 }, { a: 2 }])).toMatchObject({ items: { required: ['a'] } });
  for (const list of [
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: '1' }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [[1], 1],
    [1, null],
  ])
    expect(schemaOfValue(list), JSON.stringify(list)).toEqual({ type: 'array', items: {} });
  expect(schemaOfValue([])).toEqual({ type: 'array', items: {} });
});

/** Comparing the texts of such a value at each level takes 30 s. */
test('a large, deeply nested value is described in time proportional to its size', () => {
  let value: unknown = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, index]));
  for (let depth = 0; depth < 190; depth++) value = [value];
  const started = performance.now();
  expect(schemaOfValue(value)).toMatchObject({ type: 'array', items: { type: 'array' } });
  expect(performance.now() - started).toBeLessThan(10_000);
});
