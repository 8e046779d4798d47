import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '#test/expect-refusal.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { call } from '#test/raw-request.ts';
import type { RawResponse } from '#test/response-parser.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { whatRan } from '#test/what-ran.ts';
import { ACCEPTED_ROWS, REFUSED_ROWS } from './json-bodies-rows.ts';

/**
 * Bodies (docs/spec/requests.md#bodies): valid JSON according to RFC 8259 reaches the pipeline unchanged; invalid JSON
 * runs nothing.
 */
const key = makeKey();
const DEPTH_MAX = 1000;
let gateway: TestGateway;

beforeAll(async () => {
  const script = 'export default (msg) => ({ body: msg.payload.body });';
  gateway = await startGateway({
    keys: [key],
    pipelines: [
      routePipeline({ id: 'echo', method: 'POST', path: '/echo', route: { maxPayloadSize: 4 * 1024 * 1024 } }),
      routePipeline({
        id: 'script',
        method: 'POST',
        path: '/script',
        middle: [{ kind: 'transform', settings: { code: script } }],
      }),
    ],
  });
});
afterAll(() => gateway?.stop());

const post = (body: string | Uint8Array, path = '/echo', type = 'application/json'): Promise<RawResponse> =>
  call(gateway.port, { method: 'POST', path, key: key.value, body, headers: { 'Content-Type': type } });

async function seen(text: string, path?: string): Promise<unknown> {
  const response = await post(text, path);
  expect(response.status).toBe(200);
  return (response.json() as { body: unknown }).body;
}

test('the tables have at least 150 rows without duplicates', () => {
  const names = [...ACCEPTED_ROWS, ...REFUSED_ROWS].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(150);
});

test.each(ACCEPTED_ROWS)('$name is accepted', async ({ text, value }) => {
  expect(await seen(text)).toEqual(value);
});

test.each(REFUSED_ROWS)('$name is refused and nothing runs', async ({ bytes }) => {
  const before = (await gateway.call('runs', { project: 'line-1', pipeline: 'echo' }))[0]?.id;
  expectRefusal(await post(bytes), 'body_invalid');
  expect((await gateway.call('runs', { project: 'line-1', pipeline: 'echo' }))[0]?.id).toBe(before);
});

test('a number beyond the range of a double becomes infinite, and null in a reply', async () => {
  expect(await seen('[1e400, -1e400]')).toEqual([null, null]);
});

test('prototypes are unchanged after all these bodies', async () => {
  expect(await seen('{}')).toEqual({});
  expect(Object.keys((await seen('{"constructor":1}')) as object)).toEqual(['constructor']);
});

describe('nesting', () => {
  const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const objects = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

  test.each([
    ['arrays', arrays],
    ['objects', objects],
  ])('%s of 1,000 levels pass through a reply and through a script', async (_what, make) => {
    for (const path of ['/echo', '/script']) {
      const response = await post(make(DEPTH_MAX), path);
      expect(response.status).toBe(200);
      expect(response.text()).toContain(make(DEPTH_MAX));
    }
  });

  test.each([
    ['arrays', arrays(DEPTH_MAX + 1)],
    ['objects', objects(DEPTH_MAX + 1)],
    ['arrays and objects', `${'[{"a":'.repeat(501)}1${'}]'.repeat(501)}`],
    ['arrays without end', '['.repeat(1_000_000)],
    ['objects without end', '{"a":'.repeat(200_000)],
    ['half a million levels', arrays(500_000)],
    ['deep after a string that ends in a backslash', `["\\\\",${arrays(DEPTH_MAX)}]`],
  ])('%s of more levels are refused and nothing runs', async (_what, text) => {
    const before = await whatRan(gateway, 'echo');
    const requestId = expectRefusal(await post(text), 'body_invalid');
    expect(await whatRan(gateway, 'echo')).toEqual(before);
    const [row] = await gateway.journalRows(requestId);
    expect(JSON.stringify(row?.why)).toMatch(/nested over 1000 levels/);
  });

  test.each([
    ['one after the other', `[${Array.from({ length: 20_000 }, () => '[]').join(',')}]`],
    ['in a string', JSON.stringify('['.repeat(5000))],
    ['in a string after an escaped quotation mark', JSON.stringify(`"${'{'.repeat(5000)}`)],
    ['in a name', JSON.stringify({ ['['.repeat(5000)]: 1 })],
  ])('many brackets %s do not count as nesting', async (_what, text) => {
    expect(await seen(text)).toEqual(JSON.parse(text));
  });
});

describe('size', () => {
  test('many names, long names, long strings and long numbers are read', async () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`n${at}`, at]));
    expect(await seen(JSON.stringify(many))).toEqual(many);
    expect(await seen(`{"${'n'.repeat(100_000)}":1}`)).toEqual({ ['n'.repeat(100_000)]: 1 });
    expect(await seen(`"${'\\u0041'.repeat(100_000)}"`)).toBe('A'.repeat(100_000));
    expect(await seen(`0.${'3'.repeat(100_000)}`)).toBeCloseTo(1 / 3);
  });

  test('a name that is repeated a hundred thousand times counts once', async () => {
    expect(await seen(`{${'"a":1,'.repeat(100_000)}"a":2}`)).toEqual({ a: 2 });
  });
});

describe('other content types', () => {
  test('+json is parsed as JSON, with or without parameters', async () => {
    for (const type of ['application/merge-patch+json', 'APPLICATION/JSON', 'application/json ; charset=UTF-8'])
      expect((await post('{"a":1}', '/echo', type)).json()).toMatchObject({ body: { a: 1 } });
    expectRefusal(await post('{', '/echo', 'application/problem+json'), 'body_invalid');
  });

  test('text is not parsed as JSON', async () => {
    expect((await post('{"__proto__":1}', '/echo', 'text/json')).json()).toMatchObject({ body: '{"__proto__":1}' });
  });

  test('a missing body is null', async () => {
    expect((await post('', '/echo')).json()).toMatchObject({ body: null });
  });
});
