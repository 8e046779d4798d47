import { expect, test } from 'vitest';
import type { Draft } from '../model/draft.ts';
import { changedNodes, changesBetween } from './change-summary.ts';

const at = { x: 0, y: 0 };
const route = (settings: Record<string, unknown> = {}) => ({
  id: 'in',
  kind: 'rest-api',
  position: at,
  settings: { mode: 'ingress', method: 'POST', urlPattern: '/orders', requiredScopes: ['db:write'], ...settings },
});
const reply = (settings: Record<string, unknown> = {}) => ({ id: 'ok', kind: 'http-response', position: at, settings });
const draft = (change: Partial<Draft> = {}): Draft => ({
  id: 'p',
  name: 'Orders',
  runAs: 'caller',
  grants: [],
  nodes: [route(), reply({ status: 201 })],
  wires: [{ from: 'in', port: 'out', to: 'ok' }],
  ...change,
});
const told = (before: Draft | null, after: Draft) => changesBetween(before, after).map(({ code }) => code);

test('unchanged or only moved parts are not reported', () => {
  expect(told(draft(), draft())).toEqual([]);
  expect(told(draft(), draft({ nodes: [route(), { ...reply({ status: 201 }), position: { x: 9, y: 9 } }] }))).toEqual(
    [],
  );
});

test('a first start reports the routes that begin to answer and the access that they open', () => {
  expect(changesBetween(null, draft())).toEqual([
    { group: 'routes', code: 'routeAdded', values: { route: 'POST /orders' } },
  ]);
  const wide = draft({ nodes: [route({ authType: 'none' })], grants: ['db:read'], runAs: 'pipeline' });
  expect(told(null, wide)).toEqual(['routeAdded', 'madePublic', 'runAsPipeline', 'grantsAdded']);
});

test('a changed secret is reported without showing either value', () => {
  const call = (Authorization: unknown, url = 'https://mes/') => ({
    id: 'mes',
    name: 'MES',
    kind: 'rest-api',
    position: at,
    settings: { mode: 'egress', url, staticHeaders: { Authorization, 'X-Line': { set: true, version: 'a' } } },
  });
  const [old, now] = ['1', '2'].map((version) => ({ set: true, version }));
  const told = [{ group: 'nodes', code: 'secretNew', values: { node: 'MES', field: 'Authorization' } }];
  expect(changesBetween(draft({ nodes: [call(old)] }), draft({ nodes: [call(now)] }))).toEqual(told);
  expect(changesBetween(draft({ nodes: [call(old)] }), draft({ nodes: [call('Bearer typed')] }))).toEqual(told);
  expect(changesBetween(draft({ nodes: [call(old)] }), draft({ nodes: [call(old)] }))).toEqual([]);
  const moved = changesBetween(draft({ nodes: [call(old)] }), draft({ nodes: [call(null, 'https://elsewhere/')] }));
  expect(moved.map(({ code }) => code)).toEqual(['settingValue', 'setting']);
});

test('routes, scopes, addresses, replies, grants, nodes and wires are reported in this order', () => {
  const after = draft({
    grants: ['db:read'],
    nodes: [
      route({ urlPattern: '/v2/orders', requiredScopes: 'db:read', allowedIps: ['10.0.0.0/8'], timeout: 5 }),
      { ...reply({ status: 200, body: { ok: true } }), name: 'Reply' },
      { id: 'note', kind: 'log', position: at, settings: {} },
    ],
    wires: [{ from: 'in', port: 'out', to: 'note' }],
  });
  const sentences = changesBetween(draft(), after);
  expect(sentences.map(({ code }) => code)).toEqual([
    'routeMoved',
    'scopesAdded',
    'scopesDropped',
    'addresses',
    'replyStatus',
    'replyBody',
    'grantsAdded',
    'nodeAdded',
    'settingSet',
    'nodeRenamed',
    'wired',
    'unwired',
  ]);
  expect(sentences[3]?.values).toEqual({ route: 'POST /v2/orders', from: 'any', to: '10.0.0.0/8' });
  expect(sentences[4]?.values).toEqual({ node: 'Reply', from: '201', to: '200' });
});

test('a route stops answering when it is switched off or turned into a call', () => {
  expect(told(draft(), draft({ nodes: [{ ...route(), off: true }, reply({ status: 201 })] }))).toEqual([
    'routeRemoved',
    'nodeOff',
  ]);
  expect(told(draft(), draft({ nodes: [route({ mode: 'egress' }), reply({ status: 201 })] }))).toContain(
    'routeRemoved',
  );
});

test('the wires of a deleted node are not reported separately', () => {
  expect(told(draft(), draft({ nodes: [route()], wires: [] }))).toEqual(['nodeDeleted']);
});

test('a setting is reported with its values if they are short', () => {
  const nodes = (url: string) => [{ id: 'call', kind: 'rest-api', position: at, settings: { mode: 'egress', url } }];
  const change = (url: string) => changesBetween(draft({ nodes: nodes('http://a') }), draft({ nodes: nodes(url) }))[0];
  expect(change('http://b')).toMatchObject({
    code: 'settingValue',
    values: { field: 'url', from: 'http://a', to: 'http://b' },
  });
  expect(change('x'.repeat(41))).toMatchObject({ code: 'setting', values: { field: 'url' } });
});

test('only nodes that differ are offered for a comparison side by side', () => {
  const after = draft({
    nodes: [route({ timeout: 5 }), { id: 'note', kind: 'log', position: at, settings: {} }],
    wires: [],
  });
  expect(changedNodes(draft(), after).map(({ id, before, after: now }) => [id, before !== null, now !== null])).toEqual(
    [
      ['in', true, true],
      ['note', false, true],
      ['ok', true, false],
    ],
  );
});
