import { expect, test } from 'vitest';
import type { CheckFinding } from '#common/model/pipeline.ts';
import type { Draft, DraftNode } from '../model/draft.ts';
import { COLUMN } from '../model/geometry.ts';
import { kindOf } from '../model/kinds.testing.ts';
import type { Kinds } from '../model/ports.ts';
import { quickFixFor } from './quick-fixes.ts';

const kinds: Kinds = new Map(
  [
    kindOf('rest-api', { input: false }),
    kindOf('http-response', { ports: [] }),
    kindOf('transform'),
    kindOf('validate', { ports: ['out', 'invalid'] }),
    kindOf('mes', { ports: ['response', 'queued'] }),
  ].map((kind) => [kind.id, kind]),
);

const node = (id: string, of: string, settings: DraftNode['settings'] = {}, x = 0): DraftNode => ({
  id,
  kind: of,
  position: { x, y: 0 },
  settings,
});
const draft = (nodes: DraftNode[], wires: [string, string, string][] = []): Draft => ({
  id: 'orders',
  name: 'Orders',
  runAs: 'caller',
  grants: [],
  nodes,
  wires: wires.map(([from, port, to]) => ({ from, port, to })),
});
const found = (code: string, message: string, about?: string): CheckFinding => ({
  code,
  message,
  ...(about !== undefined && { node: about }),
});

const LACKING = found(
  'scope_not_required',
  'node "b" needs db:read, a scope that the route of "a" does not require',
  'b',
);

test('a scope becomes required on every route that reaches the node, and on no other', () => {
  const before = draft(
    [
      node('a', 'rest-api', { mode: 'ingress', requiredScopes: 'tag:read' }),
      node('b', 'transform'),
      node('other', 'rest-api', { mode: 'ingress' }),
      node('public', 'rest-api', { mode: 'ingress', authType: 'none' }),
    ],
    [
      ['a', 'out', 'b'],
      ['public', 'out', 'b'],
    ],
  );
  const quickFix = quickFixFor(LACKING, before, kinds);
  expect(quickFix).toMatchObject({ code: 'requireScope', values: { scope: 'db:read' } });
  expect(quickFix?.change(before).nodes.map(({ settings }) => settings['requiredScopes'])).toEqual([
    ['tag:read', 'db:read'],
    undefined,
    undefined,
    undefined,
  ]);
});

test('a fix without an effect is not offered', () => {
  expect(quickFixFor(LACKING, draft([node('b', 'transform')]), kinds)).toBeNull();
  expect(quickFixFor(found('wire_twice', 'two wires'), draft([]), kinds)).toBeNull();
  expect(
    quickFixFor(found('unreachable', 'no wire leads to node "b"', 'b'), draft([node('b', 'transform')]), kinds),
  ).toBeNull();
});

test('a scope is granted once', () => {
  const finding = found('scope_not_granted', 'node "b" needs vars:read, a scope that the pipeline does not grant', 'b');
  const before = draft([node('b', 'transform')]);
  const after = quickFixFor(finding, before, kinds)?.change(before);
  expect(after?.grants).toEqual(['vars:read']);
  expect(quickFixFor(finding, after ?? before, kinds)).toBeNull();
});

test('a public route gets a key requirement', () => {
  const before = draft([node('a', 'rest-api', { mode: 'ingress', authType: 'none' })]);
  const quickFix = quickFixFor(found('public_route', 'the route is public', 'a'), before, kinds);
  expect(quickFix?.change(before).nodes[0]?.settings['authType']).toBe('api_key');
});

test('a missing reply is added after every unwired end of the route, to its right', () => {
  const before = draft(
    [node('a', 'rest-api', { mode: 'ingress' }), node('v', 'validate', {}, 280), node('t', 'transform', {}, 560)],
    [
      ['a', 'out', 'v'],
      ['v', 'out', 't'],
    ],
  );
  const after = quickFixFor(found('reply_missing', 'some path', 'a'), before, kinds)?.change(before);
  expect(after?.nodes.slice(3)).toMatchObject([
    { id: 'reply', kind: 'http-response', settings: {}, position: { x: 560 + COLUMN } },
    { id: 'reply-400', kind: 'http-response', name: 'Reply 400', settings: { status: 400 } },
  ]);
  expect(after?.wires.slice(2)).toEqual([
    { from: 't', port: 'out', to: 'reply' },
    { from: 'v', port: 'invalid', to: 'reply-400' },
  ]);
});

test('each outcome gets its own reply: 202 if stored, 400 if invalid, 503 after a failure', () => {
  const before = draft(
    [
      node('a', 'rest-api', { mode: 'ingress' }),
      node('v', 'validate', {}, 280),
      node('note', 'transform', {}, 560),
      node('c', 'mes', {}, 560),
      node('late', 'transform', {}, 840),
      node('fails', 'transform', {}, 840),
    ],
    [
      ['a', 'out', 'v'],
      ['v', 'out', 'c'],
      ['v', 'invalid', 'note'],
      ['c', 'queued', 'late'],
      ['c', 'error', 'fails'],
    ],
  );
  const after = quickFixFor(found('reply_missing', 'some path', 'a'), before, kinds)?.change(before);
  const statusOf = (id: string) => after?.nodes.find((one) => one.id === id)?.settings['status'];
  const added = after?.wires.slice(5).map(({ from, port, to }) => [from, port, statusOf(to)]);
  expect(added).toEqual([
    ['c', 'response', undefined],
    ['late', 'out', 202],
    ['note', 'out', 400],
    ['fails', 'out', 503],
  ]);
});

test('a new reply does not overlap another node', () => {
  const before = draft([node('a', 'rest-api', { mode: 'ingress' }), node('other', 'transform', {}, COLUMN)], []);
  const after = quickFixFor(found('reply_missing', 'every path', 'a'), before, kinds)?.change(before);
  expect(after?.nodes.at(-1)?.position.x).toBe(COLUMN);
  expect(after?.nodes.at(-1)?.position.y).toBeGreaterThan(96);
});

test('a failure that is replied to as a success gets its own reply, and the success path keeps its reply', () => {
  const nodes = [node('a', 'rest-api'), node('v', 'validate'), node('ok', 'http-response', { status: 201 })];
  const before = draft(nodes, [
    ['a', 'out', 'v'],
    ['v', 'out', 'ok'],
    ['v', 'invalid', 'ok'],
  ]);
  const finding = { ...found('failure_as_success', '', 'v'), params: { port: 'invalid' } };
  const quickFix = quickFixFor(finding, before, kinds);
  expect(quickFix?.code).toBe('replyInvalid');
  const after = quickFix?.change(before);
  expect(after?.wires.map(({ from, port, to }) => `${from} ${port} ${to}`)).toEqual([
    'a out v',
    'v out ok',
    'v invalid reply-400',
  ]);
  const indirect = draft(nodes, [['v', 'invalid', 'a']]);
  expect(quickFixFor(finding, indirect, kinds)).toBeNull();
});

test('a header that carries credentials is removed from the list', () => {
  const before = draft([node('a', 'rest-api', { mode: 'ingress', headerWhitelist: ['X-Line', 'Cookie'] })]);
  const quickFix = quickFixFor(
    found('sensitive_header', 'the header "cookie" carries credentials', 'a'),
    before,
    kinds,
  );
  expect(quickFix?.values).toEqual({ header: 'Cookie' });
  expect(quickFix?.change(before).nodes[0]?.settings['headerWhitelist']).toEqual(['X-Line']);
});

test('duplicate wires, and wires without a target or a port, are removed, and the others stay', () => {
  const nodes = [node('a', 'rest-api'), node('b', 'transform')];
  const wired = draft(nodes, [
    ['a', 'out', 'b'],
    ['a', 'out', 'b'],
    ['b', 'gone', 'a'],
    ['b', 'error', 'b'],
    ['b', 'out', 'lost'],
  ]);
  const left = (code: string, about?: string) =>
    quickFixFor(found(code, '', about), wired, kinds)
      ?.change(wired)
      .wires.map(({ from, port, to }) => `${from} ${port} ${to}`);
  expect(left('wire_twice', 'a')).toEqual(['a out b', 'b gone a', 'b error b', 'b out lost']);
  expect(left('port_unknown', 'b')).toEqual(['a out b', 'a out b', 'b error b', 'b out lost']);
  expect(left('wire_to_nowhere', 'b')).toEqual(['a out b', 'a out b', 'b gone a', 'b error b']);
  expect(left('wire_into_start', 'a')).toEqual(['a out b', 'a out b', 'b error b', 'b out lost']);
});
