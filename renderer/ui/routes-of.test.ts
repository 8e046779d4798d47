import { expect, test } from 'vitest';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import { opens, routesOf } from './routes-of.ts';

const pipeline = (settings: Record<string, unknown>): PipelineDefinition => ({
  id: 'p',
  name: 'P',
  runAs: 'caller',
  grants: [],
  nodes: [{ id: 'in', kind: 'rest-api', position: { x: 0, y: 0 }, settings }],
  wires: [],
});

test('a route without settings shows the defaults and requires a key', () => {
  expect(routesOf(pipeline({}))).toEqual([{ method: 'GET', pattern: '/api/v1/example', isPublic: false, scopes: [] }]);
});

test('only the authentication type "none" is shown as public', () => {
  expect(routesOf(pipeline({ authType: 'none' }))[0]?.isPublic).toBe(true);
  expect(routesOf(pipeline({ authType: 'None' }))[0]?.isPublic).toBe(false);
});

test('required scopes are read from a list and from a comma-separated text', () => {
  expect(routesOf(pipeline({ requiredScopes: 'db:read, tag:read' }))[0]?.scopes).toEqual(['db:read', 'tag:read']);
  expect(routesOf(pipeline({ requiredScopes: ['db:read'] }))[0]?.scopes).toEqual(['db:read']);
});

test('an egress node publishes nothing', () => {
  expect(routesOf(pipeline({ mode: 'egress' }))).toEqual([]);
});

test('a key opens a route only if it holds every scope that the route requires', () => {
  const route = { method: 'GET', pattern: '/a', isPublic: false, scopes: ['db:read', 'tag:read'] };
  expect(opens(route, ['db:read', 'tag:read', 'file:read'])).toBe(true);
  expect(opens(route, ['db:read'])).toBe(false);
});
