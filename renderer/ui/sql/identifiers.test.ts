import { expect, test } from 'vitest';
import { identifier, tableIdentifier } from './identifiers.ts';

test('names are quoted as the database requires, and plain ones are not', () => {
  const kinds = [null, 'postgresql', 'mysql', 'sqlserver'] as const;
  const all = (name: string) => kinds.map((kind) => identifier(name, kind));
  expect(all('order_id')).toEqual(['order_id', 'order_id', 'order_id', 'order_id']);
  expect(all('OrderId')).toEqual(['OrderId', '"OrderId"', 'OrderId', 'OrderId']);
  expect(all('user')).toEqual(['"user"', '"user"', '`user`', '[user]']);
  expect(all('due date')).toEqual(['"due date"', '"due date"', '`due date`', '[due date]']);
  expect(all('a"`]')).toEqual(['"a""`]"', '"a""`]"', '`a"``]`', '[a"`]]]']);
});

test('a table outside the default schema is named with its schema', () => {
  expect(tableIdentifier({ schema: 'mes', name: 'Orders' }, 'postgresql')).toBe('mes."Orders"');
  expect(tableIdentifier({ schema: null, name: 'orders' }, null)).toBe('orders');
});
