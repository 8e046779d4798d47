import { expect, test } from 'vitest';
import type { Scope } from '../scopes.ts';
import { keyReach, type KeyUse } from './key-reach.ts';
import { pipelineDefinition } from './pipeline.ts';
import type { RoutedPipeline } from './route-record.ts';

const route = (id: string, settings: object = {}) => ({
  id,
  kind: 'rest-api',
  settings: { mode: 'ingress', method: 'POST', urlPattern: `/${id}`, ...settings },
});

/** A running pipeline whose nodes are wired in sequence. */
function chain(id: string, nodes: object[], more: object = {}): RoutedPipeline {
  const ids = nodes.map((node) => String(Reflect.get(node, 'id')));
  const wires = ids.slice(1).map((to, index) => ({ from: ids[index], port: 'out', to }));
  const definition = pipelineDefinition.parse({ id, name: id.toUpperCase(), nodes, wires, ...more });
  return { project: 'line', newest: definition, started: definition, state: 'running' };
}

const TAGS = ['line7/speed', 'line7/temp', 'line8/speed'];
const uses = (scopes: Scope[], ...pipelines: RoutedPipeline[]): KeyUse[] =>
  keyReach({ scopes, limits: {} }, pipelines, TAGS).uses;

test('a key gives access to the routes whose scopes it has; missing scopes of the others are named', () => {
  const pipelines = [
    chain('a', [route('a', { requiredScopes: 'tag:read, db:read' })]),
    chain('b', [route('b')]),
    chain('c', [route('c', { authType: 'none', requiredScopes: ['db:write'] })]),
  ];
  expect(keyReach({ scopes: ['tag:read'], limits: {} }, pipelines, []).routes).toMatchObject([
    { pattern: '/a', missing: ['db:read'], public: false },
    { pattern: '/b', missing: [] },
    { pattern: '/c', missing: [], public: true },
  ]);
});

test('patterns are shown as the matching tags, and only if the key has the scope', () => {
  const pipeline = chain('a', [
    route('in'),
    { id: 'r', kind: 'tag-read', settings: { tags: ['line7/*', 'line8/speed'] } },
    { id: 'w', kind: 'tag-write', settings: { writes: [{ tag: 'line7/speed', value: 1 }] } },
  ]);
  expect(uses(['tag:read'], pipeline)).toEqual([
    { what: 'readTags', names: ['line7/speed', 'line7/temp', 'line8/speed'], any: [] },
  ]);
  expect(uses(['tag:write'], pipeline)).toEqual([{ what: 'writeTags', names: ['line7/speed'], any: [] }]);
  expect(uses([], pipeline)).toEqual([]);
});

test('names that the limits of the key refuse are left out; on a public route keys are ignored', () => {
  const nodes = [
    { id: 'r', kind: 'tag-read', settings: { tags: ['line7/*', 'line8/speed'] } },
    { id: 's', kind: 'script', settings: { script: 'recipe' } },
    { id: 'm', kind: 'message-out', settings: { channel: 'orders' } },
    { id: 'v', kind: 'variable-read', settings: { name: '{{payload.params.n}}' } },
  ];
  const scopes: Scope[] = ['tag:read', 'script:execute', 'vars:read'];
  const limits = { 'tag:read': ['line7/speed', 'line8/*'], 'script:execute': ['channel/orders'], 'vars:read': [] };
  const usesOf = (pipeline: RoutedPipeline) => keyReach({ scopes, limits }, [pipeline], TAGS).uses;
  const limited = [
    { what: 'readTags', names: ['line8/speed'], any: [] },
    { what: 'sendMessages', names: ['orders'], any: [] },
  ];
  expect(usesOf(chain('a', [route('in'), ...nodes]))).toEqual(limited);
  expect(usesOf(chain('a', [route('in'), ...nodes], { runAs: 'pipeline', grants: scopes }))).toEqual(limited);
  const open = usesOf(chain('a', [route('in', { authType: 'none' }), ...nodes], { grants: scopes }));
  expect(open.map(({ what }) => what)).toEqual(['readTags', 'readVariables', 'runScripts', 'sendMessages']);
});

test('names taken from the call or from a script are shown as any, with the pipeline', () => {
  const named = chain('a', [
    route('in'),
    { id: 'v', kind: 'variable-read', settings: { name: '{{payload.params.n}}' } },
  ]);
  const script = chain('b', [
    route('in'),
    { id: 's', kind: 'transform', settings: { scopes: ['vars:read', 'db:write'] } },
  ]);
  expect(uses(['vars:read'], named, script)).toEqual([{ what: 'readVariables', names: [], any: ['A', 'B'] }]);
});

test('only nodes behind an accessible route count, and none behind a stopped or disabled one', () => {
  const query = { id: 'q', kind: 'named-query', settings: { query: 'stock' } };
  const closed = chain('a', [route('in', { requiredScopes: ['db:write'] }), query]);
  const apart = chain('b', [route('in'), query], { wires: [] });
  const off = chain('c', [route('in'), { ...query, off: true }]);
  const stopped = { ...chain('d', [route('in'), query]), started: null, state: 'stopped' as const };
  expect(uses(['db:read'], closed, apart, off, stopped)).toEqual([]);
  expect(uses(['db:read'], chain('e', [route('in'), query]))).toEqual([
    { what: 'runQueries', names: ['stock'], any: [] },
  ]);
});

test('with runAs pipeline the grants count instead of the scopes; targets are shown by address only', () => {
  const grants = { runAs: 'pipeline', grants: ['db:write'] };
  const pipeline = chain(
    'a',
    [
      route('in'),
      { id: 'sql', kind: 'sql', settings: { connection: 'mes', sql: 'delete' } },
      { id: 'out', kind: 'rest-api', settings: { mode: 'egress', url: 'https://erp.local:8443/orders?token=x' } },
    ],
    grants,
  );
  expect(uses([], pipeline)).toEqual([
    { what: 'runSql', names: ['mes'], any: [] },
    { what: 'callTargets', names: ['https://erp.local:8443'], any: [] },
  ]);
});

test('on a public route the grants count, not the key; required scopes may be one empty text', () => {
  const write = { id: 'w', kind: 'tag-write', settings: { writes: [{ tag: 'line7/speed', value: 1 }] } };
  const open = route('in', { authType: 'none' });
  const writes = [{ what: 'writeTags', names: ['line7/speed'], any: [] }];
  expect(uses(['tag:write'], chain('a', [open, write]))).toEqual([]);
  expect(uses([], chain('a', [open, write], { grants: ['tag:write'] }))).toEqual(writes);
  expect(uses(['tag:write'], chain('b', [route('in', { requiredScopes: '' }), write]))).toEqual(writes);
});
