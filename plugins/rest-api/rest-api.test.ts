import { expect, test } from 'vitest';
import { manifestOf } from '../manifest.ts';
import { faultsOf, messageOf, nodeOf, testRun } from '../sdk/testing.ts';
import { restApi } from './index.ts';

test('the settings of an ingress are those of service.md 2.1, with their defaults', () => {
  expect(restApi.settings.parse({ mode: 'ingress' })).toEqual({
    mode: 'ingress',
    method: 'GET',
    urlPattern: '/api/v1/example',
    timeout: 30,
    authType: 'api_key',
    requiredScopes: [],
    allowedIps: null,
    rateLimit: 0,
    burstLimit: 0,
    maxPayloadSize: 1_048_576,
    corsEnabled: false,
    allowedOrigins: ['*'],
    headerWhitelist: [],
  });
});

test('egress is refused with one plain sentence, whatever else is set', () => {
  expect(
    faultsOf(restApi, { mode: 'egress', url: 'http://target', method: 'POST', staticHeaders: {}, timeout: 5 }),
  ).toEqual(['mode: egress arrives with store-and-forward; expected "ingress"']);
});

test('the message leaves as the gateway made it', async () => {
  const message = messageOf({ body: 1 });
  expect((await nodeOf(restApi, { mode: 'ingress' })).run(message, testRun())).toEqual({ port: 'out', message });
});

test('the manifest offers the settings of both modes as JSON Schema', () => {
  const { settings, ports } = manifestOf(restApi);
  expect(ports).toEqual(['out']);
  expect(settings).toMatchObject({
    oneOf: [{ title: 'Ingress', properties: { urlPattern: { title: 'URL pattern' } } }, { title: 'Egress' }],
  });
});
