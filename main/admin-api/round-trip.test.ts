import { beforeAll, expect, test } from 'vitest';
import { admin, harnessPerFile } from './use-harness.testing.ts';
import { openApi } from './openapi.ts';

/** A client can change one field of a response and send all of it back; the document marks the ignored fields. */
harnessPerFile({ overrides: { baseUrl: 'https://edge.example' } });
beforeAll(async () => {
  const made: [string, unknown][] = [
    ['/projects', { id: 'line-1', name: 'Line 1' }],
    ['/projects/line-1/pipelines', { id: 'orders', name: 'Orders' }],
    ['/projects/line-1/queries', { id: 'orders', connection: 'embedded', sql: 'SELECT 1' }],
    ['/projects/line-1/scripts', { id: 'sum', code: 'export default () => 1' }],
    [
      '/projects/line-1/tags',
      {
        path: 'line/speed',
        type: 'number',
        source: { provider: 'memory' },
        writeLimits: { max: 240, maxStep: 5, onlyWhile: [{ tag: 'line/mode', is: '=', value: 'Remote', maxAge: 2 }] },
      },
    ],
    [
      '/projects/line-1/connections',
      {
        id: 'erp',
        name: 'ERP',
        settings: { kind: 'postgresql', host: 'db.local', database: 'mes', user: 'mes', password: 'a secret' },
      },
    ],
  ];
  for (const [path, body] of made) expect([path, (await admin.send('POST', path, body)).status]).toEqual([path, 201]);
});

const CASES = [
  ['PUT /projects/{project}/pipelines/{pipeline}', '/projects/line-1/pipelines/orders'],
  ['PUT /projects/{project}/queries/{query}', '/projects/line-1/queries/orders'],
  ['PUT /projects/{project}/scripts/{script}', '/projects/line-1/scripts/sum'],
  ['PUT /projects/{project}/tags/{tag}', '/projects/line-1/tags/line%2Fspeed'],
  ['PUT /projects/{project}/connections/{connection}', '/projects/line-1/connections/erp'],
  ['PATCH /settings', '/settings'],
] as const;

type Schema = { properties?: Record<string, { readOnly?: boolean }> };

test.each(CASES)(
  '%s accepts the response of its read, and the document says which fields it ignores',
  async (name, path) => {
    const { body: before } = await admin.send('GET', path);
    const [method = '', template = ''] = name.split(' ');
    const { status, body } = await admin.send(method, path, before);
    expect([status, body['errors']]).toEqual([200, undefined]);
    const document = openApi({ version: '1.2.3', uiPort: 8091, host: 'localhost:8091' }) as {
      paths: Record<string, Record<string, { requestBody: { content: { 'application/json': { schema: Schema } } } }>>;
    };
    const operation = document.paths[template]?.[method.toLowerCase()];
    const fields = operation?.requestBody.content['application/json'].schema.properties ?? {};
    expect(Object.keys(before).filter((field) => !(field in fields))).toEqual([]);
  },
);
