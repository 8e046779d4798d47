import { expect, test } from 'vitest';
import { ROUTE_DEFAULTS } from '#common/model/route-defaults.testing.ts';
import { manifestOf } from '../manifest.ts';
import { messageOf, nodeOf, testRun } from '../sdk/testing.ts';
import { restApi } from './index.ts';

test('the settings of an ingress are as specified, with their defaults', () => {
  expect(restApi.settings.parse({ mode: 'ingress' })).toEqual({
    mode: 'ingress',
    method: 'GET',
    urlPattern: '/api/v1/example',
    ...ROUTE_DEFAULTS,
  });
});

test('the message is passed on as the gateway created it', async () => {
  const message = messageOf({ body: 1 });
  expect((await nodeOf(restApi, { mode: 'ingress' })).run(message, testRun())).toEqual({ port: 'out', message });
});

test('the manifest describes the settings of both modes as JSON Schema, and names the fields of each', () => {
  const { settings, ports, input, modes } = manifestOf(restApi);
  expect([input, ports]).toEqual([false, []]);
  expect(modes).toEqual({
    ingress: { input: false, ports: ['out'] },
    egress: { input: true, ports: ['response', 'queued'] },
  });
  expect(settings).toMatchObject({
    oneOf: [
      { title: 'Ingress', properties: { urlPattern: { title: 'URL pattern' } } },
      { title: 'Egress', required: ['mode', 'url', 'method', 'staticHeaders', 'timeout'] },
    ],
  });
});

test('a described reply requires a readable schema, and an example that does not match it causes a warning', () => {
  const parse = (reply: object) =>
    restApi.settings.safeParse({ mode: 'ingress', replies: [{ status: 200 }, { status: 404, ...reply }] });
  expect(parse({ schema: { typ: 'string' } }).error?.issues).toMatchObject([
    { path: ['replies', 1, 'schema'], message: expect.stringContaining('typ') },
  ]);
  expect(parse({ schema: { $ref: 'https://elsewhere.example/x' } }).success).toBe(false);

  const warned = (reply: object) => restApi.warnings?.(restApi.settings.parse(parse(reply).data));
  expect(warned({ schema: { type: 'string' }, example: 'gone' })).toEqual([]);
  expect(warned({ schema: { type: 'string' }, example: 404 })).toEqual([
    expect.objectContaining({ code: 'example_misfit', field: 'replies.1.example' }),
  ]);
});

test('the schemas of all replies together are limited: a gateway that compiles for 10 s is replaced', () => {
  const schema = { allOf: Array.from({ length: 300 }, (_, index) => ({ properties: { [`a${index}`]: true } })) };
  const replies = (count: number) => Array.from({ length: count }, (_, index) => ({ status: 200 + index, schema }));
  expect(restApi.settings.safeParse({ mode: 'ingress', replies: replies(2) }).success).toBe(true);
  expect(restApi.settings.safeParse({ mode: 'ingress', replies: replies(3) }).error?.issues).toEqual([
    {
      code: 'custom',
      path: ['replies', 2, 'schema'],
      message: 'expected at most 2,000 values in the schemas of all replies together',
    },
  ]);
});
