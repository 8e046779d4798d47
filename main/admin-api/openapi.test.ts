import { expect, test } from 'vitest';
import { openApiFaults } from '#common/model/openapi-faults.testing.ts';
import { liftParts } from './lift-parts.ts';
import { openApi } from './openapi.ts';

test('every reference in the document leads somewhere', () => {
  const document = openApi('1.2.3');
  expect(openApiFaults(document).filter((fault) => fault.includes('#/'))).toEqual([]);
  expect(JSON.stringify(document)).not.toContain('$defs');
});

test('parts of schemas become components, each once, those within others too', () => {
  const json = { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/$defs/a' } }] };
  const one = { $defs: { a: json }, properties: { x: { $ref: '#/$defs/a' } } };
  const other = { $defs: { a: { type: 'number' } }, items: { $ref: '#/$defs/a' } };
  const document = liftParts({ paths: { one, two: one, other }, components: { schemas: { Problem: {} } } });
  expect(document).toMatchObject({
    paths: {
      one: { properties: { x: { $ref: '#/components/schemas/Part1' } } },
      two: { properties: { x: { $ref: '#/components/schemas/Part1' } } },
      other: { items: { $ref: '#/components/schemas/Part2' } },
    },
    components: {
      schemas: {
        Problem: {},
        Part1: { anyOf: [{ type: 'string' }, { items: { $ref: '#/components/schemas/Part1' } }] },
        Part2: { type: 'number' },
      },
    },
  });
});
