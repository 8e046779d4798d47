import { expect, test } from 'vitest';
import { pipelineDefinition } from './pipeline.ts';
import { passingSaveErrors, saveErrors } from './save-check.ts';
import { stated } from '../errors/rules.ts';

function errorsOf(...nodes: object[]): { path: string; message: string }[] {
  return saveErrors(pipelineDefinition.parse({ id: 'orders', name: 'Orders', nodes }));
}

const ingress = (settings: object) => ({ id: 'in', kind: 'rest-api', settings: { mode: 'ingress', ...settings } });
const reply = (headers: unknown) => ({ id: 'out', kind: 'http-response', settings: { headers } });

test.each([
  [{ urlPattern: '/a//b' }, 'urlPattern'],
  [{ urlPattern: '/:a/:a' }, 'urlPattern'],
  [{ method: 'FETCH' }, 'method'],
  [{ allowedIps: '10.0.0.300' }, 'allowedIps'],
  [{ allowedIps: '' }, 'allowedIps'],
  [{ maxPayloadSize: '65 MB' }, 'maxPayloadSize'],
  [{ requiredScopes: 'db:all' }, 'requiredScopes'],
  [{ headerWhitelist: 'X-Api-Key' }, 'headerWhitelist'],
  [{ headerWhitelist: ['X-Trace', ''] }, 'headerWhitelist'],
  [{ headerWhitelist: 'X-Trace,' }, 'headerWhitelist'],
  [{ requiredScopes: ['db:read', ' '] }, 'requiredScopes'],
  [{ allowedIps: '10.0.0.0/8,,::1' }, 'allowedIps'],
  [{ allowedOrigins: ['*', ''] }, 'allowedOrigins'],
  [{ timeout: 0 }, 'timeout'],
  [{ rateLimit: -1 }, 'rateLimit'],
  [{ burstLimit: 1.5 }, 'burstLimit'],
  [{ allowedOrigins: 'https://a/b' }, 'allowedOrigins'],
  [{ authType: null }, 'authType'],
  [{ authType: 'API_KEY' }, 'authType'],
])('a route with %j is refused, and its field is named', (settings, field) => {
  expect(errorsOf({ id: 'log', kind: 'log' }, ingress(settings)).map(({ path }) => path)).toEqual([
    `nodes.1.settings.${field}`,
  ]);
});

test('a REST API node must be ingress or egress; an unknown field is named', () => {
  expect(errorsOf({ id: 'in', kind: 'rest-api', settings: {} })).toEqual([
    { path: 'nodes.0.settings.mode', ...stated('one_of', { values: ['ingress', 'egress'] }) },
  ]);
  expect(errorsOf(ingress({ colour: 'red' }))).toEqual([
    { path: 'nodes.0.settings', ...stated('unknown_field', { names: ['"colour"'] }) },
  ]);
});

const CALL = { mode: 'egress', url: 'https://mes/a', method: 'POST', staticHeaders: {}, timeout: 5 };
const egress = (settings: object) => ({ id: 'call', kind: 'rest-api', settings: { ...CALL, ...settings } });

test.each([
  [{ url: undefined }, 'url'],
  [{ url: 'ftp://mes' }, 'url'],
  [{ url: 'http://user@mes/' }, 'url'],
  [{ method: 'FETCH' }, 'method'],
  [{ staticHeaders: undefined }, 'staticHeaders'],
  [{ staticHeaders: { 'a b': '' } }, 'staticHeaders.a b'],
  [{ staticHeaders: { A: 'x\ny' } }, 'staticHeaders.A'],
  [{ staticHeaders: { A: { set: false } } }, 'staticHeaders.A'],
  [{ staticHeaders: { A: '', a: '' } }, 'staticHeaders.a'],
  [{ staticHeaders: { Host: 'mes' } }, 'staticHeaders.Host'],
  [{ timeout: 0 }, 'timeout'],
  [{ storeAndForward: 'no' }, 'storeAndForward'],
  [{ storeAndForward: false, orderingKey: 'x' }, 'orderingKey'],
  [{ tls: { key: '-----BEGIN KEY-----' } }, 'tls.certificate'],
  [{ url: 'http://mes', tls: {} }, 'tls'],
])('an egress node with %j is refused, and its field is named', (settings, field) => {
  expect(errorsOf(egress(settings)).map(({ path }) => path)).toEqual([`nodes.0.settings.${field}`]);
});

test('an egress node is saved with secrets that are given, kept or cleared', () => {
  const tls = { certificate: '-----BEGIN CERTIFICATE-----', key: null };
  expect(errorsOf(egress({ staticHeaders: { A: 'x', B: { set: true }, C: null }, tls }))).toEqual([]);
});

test('the message about a refused secret does not contain it', () => {
  const said = JSON.stringify(errorsOf(egress({ staticHeaders: { A: 'secret\r\n' }, tls: { key: 'secret' } })));
  expect(said).toContain('staticHeaders.A');
  expect(said).not.toContain('secret');
});

test('an incomplete draft is saved: unknown kinds, wires without a target', () => {
  const draft = pipelineDefinition.parse({
    id: 'orders',
    name: 'Orders',
    nodes: [ingress({}), { id: 'x', kind: 'no-such-kind' }],
    wires: [{ from: 'in', port: 'out', to: 'gone' }],
  });
  expect(saveErrors(draft)).toEqual([]);
});

test.each([
  [{ 'Set-Cookie': 'a=b' }, 'headers.Set-Cookie'],
  [{ 'X-Price': '5 €' }, 'headers.X-Price'],
  [{ 'Content-Type': 'text/plain, text/html' }, 'headers.Content-Type'],
  [[], 'headers'],
])('an HTTP Response node with the headers %j is refused, and its field is named', (headers, field) => {
  expect(errorsOf(reply(headers)).map(({ path }) => path)).toEqual([`nodes.0.settings.${field}`]);
});

test('an HTTP Response node without headers is saved', () => {
  expect([...errorsOf(reply(undefined)), ...errorsOf(reply({}))]).toEqual([]);
});

test('a draft saved while it is edited may have faults, but no secret without a valid target', () => {
  const errorsWhileDrawn = (settings: object, kind = 'rest-api') =>
    passingSaveErrors(
      pipelineDefinition.parse({ id: 'orders', name: 'Orders', nodes: [{ id: 'n', kind, settings }] }),
    ).map(({ path }) => path);
  const call = { mode: 'egress', method: 'POST', timeout: 5 };
  expect(errorsWhileDrawn({ mode: 'ingress', urlPattern: 'orders', allowedIps: ['10.0.0.0/8, x'] })).toEqual([]);
  expect(errorsWhileDrawn({ headers: [{ name: 'a b', value: '' }] }, 'http-response')).toEqual([]);
  expect(errorsWhileDrawn({ ...call, timeout: 0, url: 'mes', staticHeaders: {} })).toEqual([]);
  const held = { staticHeaders: { Authorization: { set: true } } };
  expect(errorsWhileDrawn({ ...call, timeout: 0, url: 'http://mes/', ...held })).toEqual([]);
  expect(errorsWhileDrawn({ ...call, url: 'mes', ...held })).toEqual(['nodes.0.settings.url']);
  expect(errorsWhileDrawn({ ...call, url: 'http://mes', staticHeaders: {} })).toEqual([]);
  expect(errorsWhileDrawn({ ...call, url: 'http://me:pw@mes/', staticHeaders: {} })).toEqual(['nodes.0.settings.url']);
  expect(errorsWhileDrawn({ ...call, url: 'http://mes/', staticHeaders: { A: 'line\nbreak' } })).toEqual([
    'nodes.0.settings.staticHeaders.A',
  ]);
});
