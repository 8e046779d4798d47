import { expect, test } from 'vitest';
import { z } from 'zod';
import { openApiFaults } from '#common/model/openapi-faults.testing.ts';
import { liftParts } from './lift-parts.ts';
import { openApi } from './openapi.ts';
import { CALLS } from './table.ts';

const adminDocument = () => openApi({ version: '1.2.3', uiPort: 8091, host: '127.0.0.1:8091' });

test('linters find no errors in the document', () => {
  expect(openApiFaults(adminDocument())).toEqual([]);
  expect(JSON.stringify(adminDocument())).not.toContain('$defs');
});

test('an operation names its permission, its errors and the cookie of this host', () => {
  const { paths, components, servers } = JSON.parse(JSON.stringify(adminDocument()));
  expect(servers).toEqual([expect.objectContaining({ url: 'http://127.0.0.1:8091/api/v1' })]);
  expect(components.securitySchemes.session.name).toBe('sluice_session_8091');
  const { put } = paths['/projects/{project}/pipelines/{pipeline}'];
  expect(put.description).toContain('Needs the permission `edit_pipelines`.');
  const errors = ['400', '401', '403', '404', '409', '412', '413', '415', '421', '429', '500', '503'];
  expect(Object.keys(put.responses)).toEqual(['200', ...errors, 'default']);
  expect(put.responses['412']).toEqual({ $ref: '#/components/responses/RevisionChanged' });
  expect(Object.keys(paths['/status'].get.responses)).toEqual([
    '200',
    '400',
    '401',
    '403',
    '421',
    '429',
    '500',
    'default',
  ]);
});

test('fields that are ignored when sent back are in the bodies of the document, and needed bodies are required', () => {
  const { paths } = openApi({ version: '1', uiPort: 8091, host: '127.0.0.1:8091' }) as unknown as {
    paths: Record<
      string,
      Record<
        string,
        { requestBody: { required: boolean; content: Record<string, { schema: { properties: object } }> } }
      >
    >;
  };
  const body = (method: string, path: string) => paths[path]?.[method]?.requestBody;
  const fields = (method: string, path: string) => body(method, path)?.content['application/json']?.schema.properties;
  expect(fields('patch', '/settings')).toMatchObject({ overridden: { readOnly: true }, pending: { readOnly: true } });
  expect(fields('put', '/projects/{project}/pipelines/{pipeline}')).toMatchObject({ revision: { readOnly: true } });
  expect(body('put', '/projects/{project}/variables/{variable}')?.required).toBe(true);
  expect(body('put', '/projects/{project}/files/{file}')?.required).toBe(true);
});

test('no description repeats the summary', () => {
  const same = CALLS.filter(({ summary, description }) => description.toLowerCase().startsWith(summary.toLowerCase()));
  expect(same.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  expect(CALLS.filter(({ description }) => !/^\p{Lu}.*\.$/su.test(description)).map(({ path }) => path)).toEqual([]);
});

test('parts of schemas become components, each once, also those within others', () => {
  const json = { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/$defs/a' } }] };
  const one = { $defs: { a: json }, properties: { x: { $ref: '#/$defs/a' } } };
  const other = { $defs: { a: { type: 'number' } }, items: { $ref: '#/$defs/a' } };
  const lifted = liftParts({ paths: { one, two: one, other }, components: { schemas: { Problem: {} } } });
  expect(lifted).toMatchObject({
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

test('any JSON value becomes the empty schema', () => {
  const value = z.toJSONSchema(z.strictObject({ value: z.json().meta({ title: 'Value' }) }));
  const document = liftParts({ paths: value, components: { schemas: {} } });
  const { paths } = document;
  expect(paths).toMatchObject({ properties: { value: { title: 'Value' } } });
  expect(JSON.stringify(paths)).not.toContain('$ref');
  expect(document.components).toEqual({ schemas: {} });
});
