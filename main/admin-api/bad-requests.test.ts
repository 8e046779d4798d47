import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Call } from './call.ts';
import { admin, harness, harnessPerFile } from './use-harness.testing.ts';
import { CALLS } from './table.ts';

/** Every call with every kind of invalid request: each 400 names the field and what was expected. */
harnessPerFile({ project: { id: 'line-1', name: 'Line 1' } });
beforeAll(async () => {
  await admin.send('POST', '/projects/line-1/pipelines', { id: 'orders', name: 'Orders' });
});

interface Bad {
  readonly what: string;
  readonly query?: string;
  readonly body?: string;
  readonly type?: string;
}

const IDS: Record<string, string> = { project: 'line-1', pipeline: 'orders' };
const pathOf = ({ path }: Call) => path.replaceAll(/:(\w+)/g, (_all, name: string) => IDS[name] ?? 'x1');
const nameOf = ({ method, path }: Call) => `${method.toUpperCase()} ${path}`;

/** At the top level of the schema: a value that is invalid for every field. */
const WRONG = [{ neither: ['this', { nor: 'that' }] }];

function fieldsOf(schema: z.ZodType | null): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function badRequests(call: Call): Bad[] {
  const queries = [
    { what: 'an unknown query parameter', query: '?nonsense=1' },
    ...fieldsOf(call.query).flatMap((field) => [
      { what: `a wrong query parameter ${field}`, query: `?${field}=%00${'x'.repeat(3_000)}` },
      { what: `a repeated query parameter ${field}`, query: `?${field}=1&${field}=2` },
    ]),
  ];
  if (call.method === 'get') return queries;
  const bodies = [
    { what: 'an unknown field', body: '{"nonsense":1}' },
    { what: 'a list', body: '[]' },
    { what: 'a text', body: '"x"' },
    { what: 'null', body: 'null' },
    { what: 'no field', body: '{}' },
    { what: 'broken JSON', body: '{"a":' },
    { what: 'a prototype', body: '{"__proto__":{}}' },
    { what: 'no UTF-8', body: '{"\u00ff":1' },
    { what: 'deep JSON', body: '['.repeat(300) },
    { what: 'another content type', body: '{}', type: 'text/plain' },
    ...fieldsOf(call.body).map((field) => ({ what: `a wrong ${field}`, body: JSON.stringify({ [field]: WRONG }) })),
  ];
  return [...queries, ...bodies];
}

async function faultsOf(call: Call, bad: Bad): Promise<string[]> {
  const ended = new AbortController();
  const { what, query = '', body, type = 'application/json' } = bad;
  const response = await fetch(`${harness.base}/api/v1${pathOf(call)}${query}`, {
    method: call.method.toUpperCase(),
    headers: { ...admin.headers, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body }),
    signal: ended.signal,
  });
  const { status } = response;
  const isProblem = response.headers.get('content-type')?.includes('problem+json') === true;
  const answer = isProblem ? ((await response.json()) as Record<string, unknown>) : {};
  ended.abort();
  if (status >= 500 && answer['code'] === 'internal') return [`${what}: ${status}`];
  if (status !== 400) return type === 'text/plain' && status < 400 ? [`${what}: ${status}`] : [];
  const errors = z.array(z.object({ path: z.string(), message: z.string().min(5) })).min(1);
  return errors.safeParse(answer['errors']).success ? [] : [`${what}: ${JSON.stringify(answer)}`];
}

test.each(['/projects/%ff', '/projects/%', '/projects/line-1/tags/%c0%af'])(
  'a path that cannot be decoded gets 400 with its errors: %s',
  async (path) => {
    const { status, body } = await admin.send('GET', path);
    expect([status, body['errors']]).toEqual([400, [{ path: '', message: expect.stringContaining('percent') }]]);
  },
);

test('an error of the gateway without a field gets 400 with its errors', async () => {
  const message = 'A value must be a number.';
  harness.gateway.refusal = new SluiceError('invalid', message);
  const { status, body } = await admin.send('POST', '/projects/line-1/tags/read', { paths: ['a'] });
  harness.gateway.refusal = null;
  expect([status, body['errors']]).toEqual([400, [{ path: '', message }]]);
});

// Calls that end the session come last.
const calls = CALLS.filter(({ access }) => access !== 'bearer').toSorted(
  (a, b) => Number(a.path.startsWith('/session')) - Number(b.path.startsWith('/session')),
);

test.each(calls.map((call) => ({ name: nameOf(call), call })))('$name: each 400 has its errors', async ({ call }) => {
  const faults = await Promise.all(badRequests(call).map((bad) => faultsOf(call, bad)));
  expect(faults.flat()).toEqual([]);
});
