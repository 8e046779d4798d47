import { expect, test } from 'vitest';
import { testKey } from '#common/model/key-record.testing.ts';
import type { KeyRecord } from '#common/model/records.ts';
import type { RouteRecord } from '#common/model/route-record.ts';
import { chosenRoutes, inOrder, keysThatOpen, sumsOf } from './route-view.ts';

const route = (patch: Partial<RouteRecord>): RouteRecord => ({
  project: 'line-2',
  pipeline: 'orders',
  pipelineName: 'Orders',
  node: 'in',
  method: 'GET',
  pattern: '/api/v1/orders',
  state: 'running',
  answers: true,
  draft: 'same',
  authType: 'api_key',
  requiredScopes: [],
  allowedIps: null,
  rateLimit: 0,
  burstLimit: 0,
  maxPayloadSize: 1024,
  corsEnabled: false,
  allowedOrigins: ['*'],
  headerWhitelist: [],
  timeout: 30,
  unreadable: [],
  ...patch,
});
const key = (patch: Partial<KeyRecord>) => testKey({ project: 'line-2', ...patch });

test('every word must be found in any of the columns', () => {
  const routes = [
    route({ method: 'POST' }),
    route({ pattern: '/health', pipelineName: 'Health', pipeline: 'h', authType: 'none' }),
  ];
  const found = (find: string, project = '') => chosenRoutes(routes, { find, project }).map(({ pattern }) => pattern);
  expect(found('')).toHaveLength(2);
  expect(found('post ORDERS')).toEqual(['/api/v1/orders']);
  expect(found('public')).toEqual(['/health']);
  expect(found('post health')).toEqual([]);
  expect(found('', 'line-3')).toEqual([]);
});

test('failed routes come first, and the others are sorted by path', () => {
  const routes = [route({ pattern: '/b' }), route({ pattern: '/c', state: 'failed' }), route({ pattern: '/a' })];
  expect(inOrder(routes).map(({ pattern }) => pattern)).toEqual(['/c', '/a', '/b']);
});

test('the totals count the answering, public and failed routes', () => {
  const routes = [
    route({}),
    route({ authType: 'none' }),
    route({ authType: 'none', state: 'stopped', answers: false }),
    route({ state: 'failed', answers: false }),
  ];
  expect(sumsOf(routes)).toEqual({ count: 4, answering: 2, open: 1, failed: 1 });
});

test('a key opens a route of its own project if it holds the scopes', () => {
  const keys = [
    key({ name: 'Writer', scopes: ['db:write', 'db:read'] }),
    key({ name: 'Reader', scopes: ['db:read'] }),
    key({ name: 'Elsewhere', project: 'line-3', scopes: ['db:write'] }),
  ];
  const names = (one: RouteRecord) => keysThatOpen(one, keys).map(({ name }) => name);
  expect(names(route({ requiredScopes: ['db:write'] }))).toEqual(['Writer']);
  expect(names(route({}))).toEqual(['Reader', 'Writer']);
  expect(names(route({ authType: 'none' }))).toEqual([]);
});
