import { describe, expect, test } from 'vitest';
import type { CheckFinding, PipelineDefinition } from '#common/model/pipeline.ts';
import { defineKind, z } from '#sdk';
import { READ_MS_MAX } from './limits.ts';
import { actor, definition, ingress, makeHarness, response } from './harness.ts';

const { runtime } = makeHarness([actor({})]);

type NodeInput = Parameters<typeof definition>[0][number];

const node = (id: string, kind: string, settings: object = {}): NodeInput => ({ id, kind, settings });
const set = (id: string): NodeInput => node(id, 'set', { assign: [] });
const needs = (id: string, ...scopes: string[]): NodeInput => node(id, 'actor', { scopes });
const EGRESS = { mode: 'egress', url: 'http://mes/orders', method: 'POST', staticHeaders: {}, timeout: 5 };
const call = (settings: object = {}): NodeInput => node('call', 'rest-api', { ...EGRESS, ...settings });
const VALIDATE = node('v', 'validate', { schema: true });
const branch = node('which', 'switch', { path: 'payload.body', cases: [{ port: 'yes', operator: 'exists' }] });

/** Definitions that the saved form would not allow, to show that the check does not rely on it. */
function raw(change: (definition: PipelineDefinition) => void): PipelineDefinition {
  const made = definition([ingress(), response()], ['in → reply']);
  change(made);
  return made;
}

interface Row {
  readonly what: string;
  readonly pipeline: PipelineDefinition;
  readonly finds: Partial<CheckFinding> & { readonly says?: RegExp };
}

function expectFinding(findings: CheckFinding[], { says, ...wanted }: Row['finds']): void {
  expect(findings).toContainEqual(
    expect.objectContaining({ ...wanted, ...(says && { message: expect.stringMatching(says) }) }),
  );
}

const setting = (kind: string, settings: object) =>
  definition([ingress(), node('n', kind, settings), response()], ['in → n']);
const route = (settings: object) => definition([ingress(settings), response()], ['in → reply']);

const ERRORS: Row[] = [
  {
    what: 'an unknown kind',
    pipeline: setting('telex', {}),
    finds: { code: 'unknown_kind', node: 'n', field: 'kind', says: /no node kind "telex"; expected one of rest-api/ },
  },
  {
    what: 'egress without a setting that has no default',
    pipeline: route({ mode: 'egress', url: 'http://x', method: 'POST', staticHeaders: {} }),
    finds: { code: 'setting_invalid', node: 'in', field: 'settings.timeout', says: /expected seconds/ },
  },
  {
    what: 'egress with a header whose value was cleared',
    pipeline: route({ ...EGRESS, staticHeaders: { Authorization: null } }),
    finds: { node: 'in', field: 'settings.staticHeaders.Authorization', says: /put it in again/ },
  },
  {
    what: 'egress whose certificate has lost its key',
    pipeline: route({ ...EGRESS, tls: { certificate: '-----BEGIN CERTIFICATE-----', key: { set: true } } }),
    finds: { node: 'in', field: 'settings.tls.key', says: /put it in again/ },
  },
  {
    what: 'a port that egress does not have without store and forward',
    pipeline: definition(
      [ingress(), call({ storeAndForward: false }), response()],
      ['in → call', 'call.response → reply', 'call.queued → reply'],
    ),
    finds: { code: 'port_unknown', node: 'call', field: 'wires.2.port', says: /"queued"; expected response, error/ },
  },
  {
    what: 'no mode',
    pipeline: route({ mode: undefined }),
    finds: { field: 'settings.mode', says: /one of ingress, egress/ },
  },
  {
    what: 'another mode',
    pipeline: route({ mode: 'sideways' }),
    finds: { field: 'settings.mode', says: /one of ingress, egress/ },
  },
  {
    what: 'a bad method',
    pipeline: route({ method: 'BREW' }),
    finds: { field: 'settings.method', says: /expected one of GET/ },
  },
  {
    what: 'a bad pattern',
    pipeline: route({ urlPattern: 'orders' }),
    finds: { field: 'settings.urlPattern', says: /must start with "\// },
  },
  {
    what: 'a timeout out of range',
    pipeline: route({ timeout: 0 }),
    finds: { field: 'settings.timeout', says: /0\.1 to 3,600/ },
  },
  {
    what: 'a bad size',
    pipeline: route({ maxPayloadSize: '1 TB' }),
    finds: { field: 'settings.maxPayloadSize', says: /"1 MB"/ },
  },
  {
    what: 'an unknown scope',
    pipeline: route({ requiredScopes: 'db:admin' }),
    finds: { field: 'settings.requiredScopes', says: /"db:admin" is not a scope/ },
  },
  {
    what: 'a bad range',
    pipeline: route({ allowedIps: ['10.0.0.0/33'] }),
    finds: { field: 'settings.allowedIps', says: /10\.0\.0\.0\/33/ },
  },
  {
    what: 'the key header whitelisted',
    pipeline: route({ headerWhitelist: ['X-API-Key'] }),
    finds: { field: 'settings.headerWhitelist', says: /nodes never see the key/ },
  },
  {
    what: 'an unknown setting',
    pipeline: route({ colour: 'red' }),
    finds: { field: 'settings', says: /unknown field "colour"/ },
  },
  {
    what: 'an unread auth type',
    pipeline: route({ authType: 'basic' }),
    finds: { field: 'settings.authType', says: /one of api_key, none/ },
  },
  {
    what: 'a wrong status',
    pipeline: setting('http-response', { status: 99 }),
    finds: { node: 'n', field: 'settings.status', says: /200 to 599/ },
  },
  {
    what: 'a cookie',
    pipeline: setting('http-response', { headers: { 'Set-Cookie': 'a=b' } }),
    finds: { field: 'settings.headers.Set-Cookie', says: /admin UI/ },
  },
  {
    what: 'a switch without a path',
    pipeline: setting('switch', { cases: [] }),
    finds: { field: 'settings.path', says: /expected a path/ },
  },
  {
    what: 'an unknown operator',
    pipeline: setting('switch', { path: 'payload', cases: [{ port: 'a', operator: 'like', value: 1 }] }),
    finds: { field: 'settings.cases.0.operator', says: /expected one of eq/ },
  },
  {
    what: 'a look-around pattern',
    pipeline: setting('switch', { path: 'payload', cases: [{ port: 'a', operator: 'matches', value: '(?=a)' }] }),
    finds: { field: 'settings.cases.0', says: /is not valid/ },
  },
  {
    what: 'an assignment to the request',
    pipeline: setting('set', { assign: [{ path: 'request.id', value: 1 }] }),
    finds: { field: 'settings.assign.0.path', says: /below payload/ },
  },
  {
    what: 'an assignment from nothing',
    pipeline: setting('set', { assign: [{ path: 'payload.a' }] }),
    finds: { field: 'settings.assign.0', says: /exactly one of value, from, template, remove/ },
  },
  {
    what: 'an invalid schema',
    pipeline: setting('validate', { schema: { type: 'text' } }),
    finds: { field: 'settings.schema', says: /schema/ },
  },
  {
    what: 'a delay out of range',
    pipeline: setting('delay', { seconds: 3601 }),
    finds: { field: 'settings.seconds', says: /0 to 3,600/ },
  },
  {
    what: 'a level that logs have not',
    pipeline: setting('log', { message: '', level: 'loud' }),
    finds: { field: 'settings.level', says: /expected one of debug/ },
  },
  {
    what: 'an empty template place',
    pipeline: setting('log', { message: 'x {{ payload..a }}' }),
    finds: { field: 'settings.message', says: /expected a path/ },
  },
  {
    what: 'a wire to nowhere',
    pipeline: definition([ingress(), response()], ['in → reply', 'in → gone']),
    finds: { code: 'wire_to_nowhere', node: 'in', field: 'wires.1.to', says: /"gone"/ },
  },
  {
    what: 'a wire from nowhere',
    pipeline: definition([ingress(), response()], ['gone → reply']),
    finds: { code: 'wire_from_nowhere', field: 'wires.0.from', says: /"gone"/ },
  },
  {
    what: 'a port that the node does not have',
    pipeline: definition([ingress(), branch, response()], ['in → which', 'which.maybe → reply']),
    finds: { code: 'port_unknown', node: 'which', field: 'wires.1.port', says: /expected yes, otherwise, error/ },
  },
  {
    what: 'the error port of a node without input',
    pipeline: definition([ingress(), response()], ['in.error → reply']),
    finds: { code: 'port_unknown', node: 'in', says: /expected out/ },
  },
  {
    what: 'a wire out of a node that ends a path',
    pipeline: definition([ingress(), response(), set('s')], ['in → reply → s']),
    finds: { code: 'port_unknown', node: 'reply' },
  },
  {
    what: 'a wire into a node that begins a path',
    pipeline: definition([ingress(), set('s')], ['in → s → in']),
    finds: { code: 'wire_into_start', node: 'in', field: 'wires.1.to', says: /takes no wire in/ },
  },
  {
    what: 'one route twice',
    pipeline: definition(
      [ingress({ urlPattern: '/a/:x' }), { ...ingress({ urlPattern: '/a/:y' }), id: 'in2' }, response()],
      ['in → reply', 'in2 → reply'],
    ),
    finds: { code: 'route_clash', node: 'in2', field: 'settings.urlPattern', says: /node "in"/ },
  },
  {
    what: 'a node id twice',
    pipeline: raw((made) =>
      made.nodes.push({ ...response(), id: 'in', kind: 'log', settings: { message: '' }, position: { x: 0, y: 0 } }),
    ),
    finds: { code: 'node_id_twice', node: 'in', field: 'id' },
  },
  {
    what: 'a bad node id',
    pipeline: raw((made) => made.nodes.push({ id: 'a b', kind: 'log', settings: {}, position: { x: 0, y: 0 } })),
    finds: { code: 'node_id_invalid', field: 'id', says: /"a b"/ },
  },
  {
    what: 'a kind named like a property of objects',
    pipeline: raw((made) => made.nodes.push({ id: 'n', kind: 'constructor', settings: {}, position: { x: 0, y: 0 } })),
    finds: { code: 'unknown_kind' },
  },
];

describe('a start is refused for', () => {
  test.each(ERRORS.map((row) => [row.what, row] as const))('%s', async (_what, { pipeline, finds }) => {
    expectFinding(runtime.check(pipeline).errors, finds);
    await expect(runtime.compile({ project: 'p', revision: 1, definition: pipeline })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  test('every issue is reported at once, each with a dotted path from the root', async () => {
    const pipeline = definition([ingress({ timeout: 0 }), node('n', 'telex')], ['in → gone']);
    await expect(runtime.compile({ project: 'p', revision: 1, definition: pipeline })).rejects.toMatchObject({
      errors: [
        { path: 'nodes.0.settings.timeout', message: expect.stringMatching(/^node "in": expected seconds/) },
        { path: 'nodes.1.kind', message: expect.stringMatching(/telex/) },
        { path: 'wires.0.to', message: expect.stringMatching(/gone/) },
      ],
    });
  });

  test('settings that take too long to read together', () => {
    const slow = defineKind({
      ...actor({}),
      id: 'slow',
      settings: z.looseObject({}).transform(() => {
        const until = performance.now() + READ_MS_MAX / 2;
        while (performance.now() < until);
        return { scopes: [] };
      }),
    });
    const nodes = ['a', 'b', 'c', 'd'].map((id) => node(id, 'slow'));
    const { errors } = makeHarness([slow]).runtime.check(definition(nodes, []));
    expect(errors).toEqual([
      expect.objectContaining({ code: 'settings_too_costly', message: expect.stringContaining('3 s') }),
    ]);
  });

  test('at most 200 issues are reported', () => {
    const many = Array.from({ length: 300 }, (_, i) => node(`n${i}`, 'telex'));
    expect(runtime.check(definition(many, [])).errors).toHaveLength(200);
  });
});

const WARNINGS: Row[] = [
  {
    what: 'SQL with a parameter that has no value',
    pipeline: setting('sql', { sql: "SELECT ':no', a::int FROM t WHERE id = :id -- :no", params: {} }),
    finds: { code: 'param_missing', node: 'n', field: 'settings.params', says: /"id"/ },
  },
  {
    what: 'a value that the SQL has no parameter for',
    pipeline: setting('sql', { sql: "SELECT ':id'", params: { id: '7' } }),
    finds: { code: 'param_unknown', node: 'n', field: 'settings.params', says: /"id"/ },
  },
  {
    what: 'a statement of a transaction with a parameter that has no value',
    pipeline: setting('transaction', { statements: [{ sql: 'SELECT 1' }, { sql: 'SELECT :id' }] }),
    finds: { code: 'param_missing', node: 'n', field: 'settings.statements.1.params', says: /"id"/ },
  },
  {
    what: 'a stored call whose late outcome leads nowhere while a caller waits',
    pipeline: definition([ingress(), call(), response()], ['in → call', 'call.response → reply']),
    finds: { code: 'reply_missing', node: 'in', says: /^some path/ },
  },
  {
    what: 'a stored call that only a late outcome answers',
    pipeline: definition([ingress(), call(), response()], ['in → call', 'call.queued → reply']),
    finds: { code: 'reply_missing', node: 'in', says: /^some path/ },
  },
  {
    what: 'a fetch that is stored',
    pipeline: definition([ingress(), call({ method: 'GET' })], ['in → call']),
    finds: {
      code: 'fetch_stored',
      node: 'call',
      field: 'settings.storeAndForward',
      says: /turn store and forward off/,
    },
  },
  {
    what: 'no way to an HTTP Response',
    pipeline: definition([ingress({ timeout: 7 }), set('s')], ['in → s']),
    finds: { code: 'reply_missing', node: 'in', says: /^every path .* 7 s/ },
  },
  {
    what: 'no wire at all',
    pipeline: definition([ingress(), response()], []),
    finds: { code: 'reply_missing', says: /^every path/ },
  },
  {
    what: 'one port without a wire',
    pipeline: definition([ingress(), branch, response()], ['in → which', 'which.yes → reply']),
    finds: { code: 'reply_missing', says: /^some path/ },
  },
  {
    what: 'an error port that leads nowhere',
    pipeline: definition(
      [ingress(), branch, set('s'), response()],
      ['in → which', 'which.yes → reply', 'which.otherwise → reply', 'which.error → s'],
    ),
    finds: { code: 'reply_missing', says: /^some path/ },
  },
  {
    what: 'a circle without a way out',
    pipeline: definition([ingress(), set('a'), set('b')], ['in → a → b → a']),
    finds: { code: 'reply_missing', says: /^every path/ },
  },
  {
    what: 'one branch into a circle without a way out',
    pipeline: definition(
      [ingress(), branch, set('a'), response()],
      ['in → which', 'which.yes → reply', 'which.otherwise → a', 'a → a'],
    ),
    finds: { code: 'reply_missing', says: /^some path/ },
  },
  {
    what: 'an invalid value that is replied to as a success',
    pipeline: definition(
      [ingress(), VALIDATE, set('s'), response({ status: 201 })],
      ['in → v → reply', 'v.invalid → s → reply'],
    ),
    finds: { code: 'failure_as_success', node: 'v', says: /"invalid" of "v" leads to the reply "reply".* 201/ },
  },
  {
    what: 'a failure that is replied to as a success',
    pipeline: definition(
      [ingress(), set('n'), set('s'), response({ status: 202 })],
      ['in → n → reply', 'n.error → s → reply'],
    ),
    finds: {
      code: 'failure_as_success',
      node: 'n',
      params: { port: 'error', node: 'n', reply: 'reply', status: '202' },
    },
  },
  {
    what: 'a scope that the route does not require',
    pipeline: definition(
      [ingress({ requiredScopes: 'tag:write' }), needs('n', 'db:read', 'tag:write'), response()],
      ['in → n → reply'],
    ),
    finds: { code: 'scope_not_required', node: 'n', says: /db:read/ },
  },
  {
    what: 'a scope that a public route’s pipeline does not grant',
    pipeline: definition([ingress({ authType: 'none' }), needs('n', 'db:read'), response()], ['in → n → reply']),
    finds: { code: 'scope_not_granted', node: 'n', says: /db:read/ },
  },
  {
    what: 'a scope that runAs pipeline does not grant',
    pipeline: definition(
      [ingress({ requiredScopes: 'db:read' }), needs('n', 'db:read'), response()],
      ['in → n → reply'],
      { runAs: 'pipeline' },
    ),
    finds: { code: 'scope_not_granted', node: 'n' },
  },
  {
    what: 'Authorization whitelisted',
    pipeline: route({ headerWhitelist: 'Authorization' }),
    finds: { code: 'sensitive_header', node: 'in', field: 'settings.headerWhitelist', says: /"authorization"/ },
  },
  {
    what: 'Cookie whitelisted',
    pipeline: route({ headerWhitelist: ['x-trace', 'Cookie'] }),
    finds: { code: 'sensitive_header', says: /"cookie"/ },
  },
  {
    what: 'a public route',
    pipeline: route({ authType: 'none' }),
    finds: { code: 'public_route', node: 'in', field: 'settings.authType' },
  },
  {
    what: 'a node that no wire leads to',
    pipeline: definition([ingress(), set('lost'), response()], ['in → reply']),
    finds: { code: 'unreachable', node: 'lost' },
  },
  {
    what: 'two nodes that only lead to each other',
    pipeline: definition([ingress(), set('a'), set('b'), response()], ['in → reply', 'a → b → a']),
    finds: { code: 'unreachable', node: 'b' },
  },
  {
    what: 'a wire drawn twice',
    pipeline: definition([ingress(), response()], ['in → reply', 'in → reply']),
    finds: { code: 'wire_twice', node: 'in', field: 'wires.1' },
  },
  { what: 'nothing that begins a path', pipeline: definition([set('a')], []), finds: { code: 'no_start' } },
];

describe('a start causes a warning for', () => {
  test.each(WARNINGS.map((row) => [row.what, row] as const))('%s', async (_what, { pipeline, finds }) => {
    const { errors, warnings } = runtime.check(pipeline);
    expect(errors).toEqual([]);
    expectFinding(warnings, finds);
  });
});

describe('no issue is reported for', () => {
  const quiet = (what: string, pipeline: PipelineDefinition) => [what, pipeline] as const;
  test.each([
    quiet(
      'an invalid value and a failure that take their status from the message, or have one of their own',
      definition(
        [ingress(), VALIDATE, response(), node('bad', 'http-response', { status: 400 })],
        ['in → v → reply', 'v.invalid → reply', 'v.invalid → bad', 'v.error → bad'],
      ),
    ),
    quiet(
      'a failure that is dealt with by another node before the reply',
      definition(
        [ingress({ requiredScopes: 'db:read' }), set('n'), needs('kept', 'db:read'), response({ status: 200 })],
        ['in → n → reply', 'n.error → kept → reply'],
      ),
    ),
    quiet('a straight path', definition([ingress(), set('s'), response()], ['in → s → reply'])),
    quiet(
      'two routes of one shape with other methods',
      definition(
        [ingress({ method: 'GET' }), { ...ingress({ method: '*' }), id: 'in2' }, response()],
        ['in → reply', 'in2 → reply'],
      ),
    ),
    quiet(
      'a stored call with both ways out answered',
      definition([ingress(), call(), response()], ['in → call', 'call.response → reply', 'call.queued → reply']),
    ),
    quiet(
      'a fetch that is not stored, which has one way out',
      definition(
        [ingress(), call({ method: 'GET', storeAndForward: false }), response()],
        ['in → call', 'call.response → reply'],
      ),
    ),
    quiet('a way beside the one that replies', definition([ingress(), set('s'), response()], ['in → s', 'in → reply'])),
    quiet(
      'every port wired',
      definition(
        [ingress(), branch, response()],
        ['in → which', 'which.yes → reply', 'which.otherwise → reply', 'which.error → reply'],
      ),
    ),
    quiet(
      'a circle with a way out',
      definition(
        [ingress(), branch, set('s'), response()],
        ['in → which', 'which.yes → s → which', 'which.otherwise → reply'],
      ),
    ),
    quiet(
      'a required scope',
      definition([ingress({ requiredScopes: 'db:read' }), needs('n', 'db:read'), response()], ['in → n → reply']),
    ),
    quiet(
      'a granted scope',
      definition([ingress(), needs('n', 'db:read'), response()], ['in → n → reply'], {
        runAs: 'pipeline',
        grants: 'db:read',
      }),
    ),
  ])('%s', (_what, pipeline) => {
    expect(runtime.check(pipeline)).toMatchObject({ errors: [], warnings: [] });
  });
});

describe('the scopes that a caller needs', () => {
  const both = [needs('a', 'db:read'), needs('b', 'tag:write', 'db:read'), response()];

  test('are those of every node that a route with a key reaches', () => {
    expect(runtime.check(definition([ingress(), ...both], ['in → a → b → reply'])).scopes).toEqual([
      'tag:write',
      'db:read',
    ]);
  });

  test('leave out nodes that only a public route reaches', () => {
    const open = { ...ingress({ authType: 'none', urlPattern: '/open' }), id: 'open' };
    expect(runtime.check(definition([ingress(), open, ...both], ['in → a → reply', 'open → b'])).scopes).toEqual([
      'db:read',
    ]);
  });

  test('cause no warning when the pipeline runs with its own grants', () => {
    expect(
      runtime.check(definition([ingress(), ...both], ['in → a → b → reply'], { runAs: 'pipeline' })).scopes,
    ).toEqual([]);
  });
});

test('are reported once as an error for a trigger without its grant, and as warnings for the nodes after it', () => {
  const watch = node('watch', 'tag-change', { tags: ['a/b'] });
  const { errors, warnings } = runtime.check(definition([watch, needs('n', 'db:read')], ['watch → n']));
  expect(errors).toMatchObject([{ code: 'scope_not_granted', node: 'watch', field: 'grants' }]);
  expect(warnings).toMatchObject([{ code: 'scope_not_granted', node: 'n' }]);
});
