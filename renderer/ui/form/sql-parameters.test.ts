import { expect, test } from 'vitest';
import { sqlParameters } from './sql-parameters.ts';

test('parameters are reported once, in order', () => {
  expect(sqlParameters('INSERT INTO orders (id, item, id2) VALUES (:id, :item, :id)')).toEqual(['id', 'item']);
});

test('text that only looks like a parameter is ignored', () => {
  const sql = `SELECT ':no', ":nor", a::text, now() -- :comment
    /* :neither */ FROM x WHERE t = :yes AND u = 'it''s :not'`;
  expect(sqlParameters(sql)).toEqual(['yes']);
  expect(sqlParameters('')).toEqual([]);
});
