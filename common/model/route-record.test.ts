import { expect, test } from 'vitest';
import { ROUTE_DEFAULTS } from './route-defaults.testing.ts';
import type { PipelineDefinition } from './pipeline.ts';
import { pipelineRoutes } from './route-record.ts';

const definition = (...nodes: (Record<string, unknown> & { id?: string; off?: boolean })[]): PipelineDefinition => ({
  id: 'orders',
  name: 'Orders',
  runAs: 'caller',
  grants: [],
  nodes: nodes.map(({ id = 'in', off, ...settings }) => ({
    id,
    kind: 'rest-api',
    position: { x: 0, y: 0 },
    ...(off !== undefined && { off }),
    settings,
  })),
  wires: [],
});
const stopped = (newest: PipelineDefinition) =>
  pipelineRoutes({ project: 'line', newest, started: null, state: 'stopped' });

test('a route has the specified defaults where nothing is set, and requires a key', () => {
  expect(stopped(definition({ mode: 'ingress' }))).toEqual([
    {
      project: 'line',
      pipeline: 'orders',
      pipelineName: 'Orders',
      node: 'in',
      method: 'GET',
      pattern: '/api/v1/example',
      state: 'stopped',
      answers: false,
      draft: 'same',
      ...ROUTE_DEFAULTS,
      unreadable: [],
    },
  ]);
});

test('egress nodes and disabled nodes publish nothing', () => {
  expect(stopped(definition({ mode: 'egress', url: 'http://mes' }, { id: 'b', mode: 'ingress', off: true }))).toEqual(
    [],
  );
});

test('the running revision counts, and the draft is shown next to it', () => {
  const started = definition(
    { urlPattern: '/same' },
    { id: 'b', urlPattern: '/old' },
    { id: 'c', urlPattern: '/gone' },
  );
  const newest = definition(
    { urlPattern: '/same' },
    { id: 'b', urlPattern: '/new' },
    { id: 'd', urlPattern: '/fresh' },
  );
  const routes = pipelineRoutes({ project: 'line', newest, started, state: 'running' });
  expect(routes.map(({ pattern, draft, answers }) => [pattern, draft, answers])).toEqual([
    ['/same', 'same', true],
    ['/old', 'changed', true],
    ['/gone', 'removed', true],
    ['/fresh', 'added', false],
  ]);
});

test('a default that is set explicitly is not a change', () => {
  const started = definition({ urlPattern: '/a' });
  const newest = definition({ urlPattern: '/a', authType: 'api_key', maxPayloadSize: '1 MB', requiredScopes: '' });
  expect(pipelineRoutes({ project: 'line', newest, started, state: 'running' })[0]?.draft).toBe('same');
});

test('an invalid setting is named, the others are read, and an invalid auth type never counts as public', () => {
  const [route] = stopped(
    definition({
      urlPattern: '/a',
      authType: 'off',
      timeout: -1,
      rateLimit: 5,
      colour: 'red',
      requiredScopes: 'db:read',
    }),
  );
  expect(route).toMatchObject({ authType: 'api_key', timeout: 30, rateLimit: 5, requiredScopes: ['db:read'] });
  expect(route?.unreadable.toSorted()).toEqual(['authType', 'colour', 'timeout']);
});
