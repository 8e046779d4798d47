import { expect, test } from 'vitest';
import type { KindManifest } from '#common/control/messages.ts';
import type { EgressTarget } from '#common/model/egress.ts';
import type { Draft } from '../model/draft.ts';
import { nodeOf } from '../model/kinds.testing.ts';
import { advisoriesOf, lackingScopes, problemsOf } from './problems.ts';

const kind = (id: string, ports: string[], input = true) => [id, { id, ports, input } as KindManifest] as const;
const kinds = new Map([
  kind('rest-api', ['out'], false),
  kind('validate', ['valid', 'invalid']),
  kind('log', ['out']),
  kind('http-response', []),
]);
const draft: Draft = {
  id: 'p',
  name: 'P',
  runAs: 'caller',
  grants: [],
  nodes: [
    nodeOf('in', 'rest-api', { requiredScopes: 'db:write' }),
    nodeOf('check', 'validate'),
    nodeOf('note', 'log'),
    nodeOf('ok', 'http-response'),
    nodeOf('erp', 'rest-api', { mode: 'egress', url: 'http://erp:81/a' }),
  ],
  wires: [
    { from: 'in', port: 'out', to: 'check' },
    { from: 'check', port: 'valid', to: 'ok' },
    { from: 'check', port: 'valid', to: 'note' },
  ],
};
const target = { target: 'http://erp:81', state: 'paused', reason: 'ERP answers 401' } as EgressTarget;

test('an unwired port is an advisory if the node continues by other ports; the end of a path is not reported', () => {
  expect(advisoriesOf(draft, kinds).map(({ node: id, values }) => [id, values['port']])).toEqual([
    ['check', 'invalid'],
  ]);
  const off = { ...draft, nodes: draft.nodes.map((one) => (one.id === 'check' ? { ...one, off: true } : one)) };
  expect(advisoriesOf(off, kinds)).toEqual([]);
});

test('the most urgent finding comes first', () => {
  const check = {
    errors: [{ code: 'no_start', message: '' }],
    warnings: [{ code: 'unreachable', node: 'erp', message: '' }],
    scopes: [],
    scripts: [],
  };
  expect(problemsOf(draft, kinds, check, [target], []).map(({ kind: shape, code }) => [shape, code])).toEqual([
    ['error', 'no_start'],
    ['alarm', 'target_paused'],
    ['warning', 'unreachable'],
    ['advisory', 'port_unwired'],
  ]);
  const open = { ...target, state: 'open' as const };
  expect(problemsOf(draft, kinds, null, [open], []).map(({ code }) => code)).toEqual(['port_unwired']);
});

test('a node that answered errors with 200 has a warning, with the count', () => {
  const [problem] = problemsOf(draft, kinds, null, [], [{ node: 'ok', count: 12 }]);
  expect(problem).toMatchObject({ kind: 'warning', code: 'error_with_200', node: 'ok', values: { count: '12' } });
});

test('the scopes that a route lacks are read from the findings, once each', () => {
  const finding = (scope: string, code = 'scope_not_required') => ({
    code,
    message: `node "a" needs ${scope}, a scope`,
  });
  const warnings = [finding('db:read'), finding('db:read'), finding('tag:read', 'scope_not_granted')];
  expect(lackingScopes({ errors: [], warnings, scopes: [], scripts: [] })).toEqual(['db:read']);
});
