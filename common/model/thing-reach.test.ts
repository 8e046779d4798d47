import { expect, test } from 'vitest';
import { testKey } from './key-record.testing.ts';
import { pipelineDefinition } from './pipeline.ts';
import type { KeyRecord } from './records.ts';
import type { RoutedPipeline } from './route-record.ts';
import { thingReach } from './thing-reach.ts';

const route = (id: string, settings: object = {}) => ({
  id: 'in',
  kind: 'rest-api',
  settings: { mode: 'ingress', method: 'POST', urlPattern: `/${id}`, ...settings },
});
const write = (tag: string) => ({ id: 'w', kind: 'tag-write', settings: { writes: [{ tag, value: 1 }] } });

function chain(id: string, nodes: object[], more: object = {}): RoutedPipeline {
  const ids = nodes.map((node) => String(Reflect.get(node, 'id')));
  const wires = ids.slice(1).map((to, index) => ({ from: ids[index], port: 'out', to }));
  const definition = pipelineDefinition.parse({ id, name: id.toUpperCase(), nodes, wires, ...more });
  return { project: 'line', newest: definition, started: definition, state: 'running' };
}

const SAFETY = { what: 'writeTags', name: 'line7/safety' } as const;
const key = (name: string, more: Partial<KeyRecord> = {}) =>
  testKey({ id: name, name, scopes: ['tag:write'], ...more });

test('a key reaches a tag if a route with its scopes writes it, within the limits of the key', () => {
  const keys = [
    key('any'),
    key('limited', { limits: { 'tag:write': ['line7/filler/*'] } }),
    key('wide', { limits: { 'tag:write': ['line7/*'] } }),
    key('reader', { scopes: ['tag:read'] }),
    key('revoked', { revokedAt: '2026-11-20T12:00:00Z' }),
    key('trap', { honey: true }),
  ];
  const { keys: found } = thingReach(SAFETY, keys, [chain('a', [route('a'), write('line7/safety')])]);
  const routes = [{ pipeline: 'a', method: 'POST', pattern: '/a', named: true }];
  expect(found).toEqual([
    { id: 'any', name: 'any', routes },
    { id: 'wide', name: 'wide', routes },
  ]);
});

test.each([
  ['a template', write('line7/{{payload.body.tag}}'), [false]],
  ['another tag', write('line7/speed'), []],
  ['a script with the scope', { id: 's', kind: 'transform', settings: { scopes: ['tag:write'], code: '' } }, [false]],
  ['a script without the scope', { id: 's', kind: 'transform', settings: { scopes: ['tag:read'], code: '' } }, []],
  ['a library script', { id: 's', kind: 'script', settings: { script: 'recipe' } }, [false]],
])('with %s the name is chosen by the call, or the tag is not reached', (_what, node, named) => {
  const { keys } = thingReach(SAFETY, [key('MES')], [chain('a', [route('a'), node])]);
  expect(keys.flatMap(({ routes }) => routes.map((one) => one.named))).toEqual(named);
});

test('a pattern of a read node reaches the tags that it matches', () => {
  const read = { id: 'r', kind: 'tag-read', settings: { tags: ['line7/*'] } };
  const pipelines = [chain('a', [route('a'), read])];
  const readers = (name: string) =>
    thingReach({ what: 'readTags', name }, [key('MES', { scopes: ['tag:read'] })], pipelines).keys.length;
  expect([readers('line7/safety'), readers('line8/safety')]).toEqual([1, 0]);
});

test('pipelines reach it without a key by their grants: on a public route and by a trigger', () => {
  const timer = { id: 't', kind: 'timer', settings: { every: 1 } };
  const grants = { grants: ['tag:write'] };
  const pipelines = [
    chain('open', [route('open', { authType: 'none' }), write('line7/safety')], grants),
    chain('timed', [timer, write('line7/safety')], grants),
    chain('bare', [{ ...timer }, write('line7/safety')]),
    { ...chain('stopped', [timer, write('line7/safety')], grants), started: null, state: 'stopped' as const },
  ];
  expect(thingReach(SAFETY, [key('MES')], pipelines)).toEqual({
    keys: [],
    pipelines: [
      { id: 'open', name: 'OPEN', start: 'rest-api', named: true },
      { id: 'timed', name: 'TIMED', start: 'timer', named: true },
    ],
  });
});

test('with runAs "pipeline" a key reaches what the grants reach, within its own limits', () => {
  const pipelines = [chain('a', [route('a'), write('line7/safety')], { runAs: 'pipeline', grants: ['tag:write'] })];
  const keys = [key('bare', { scopes: [] }), key('limited', { limits: { 'tag:write': [] } })];
  expect(thingReach(SAFETY, keys, pipelines).keys.map(({ name }) => name)).toEqual(['bare']);
});
