import { expect, test } from 'vitest';
import type { PipelineDefinition } from './pipeline.ts';
import { bodySchemaOf, fixedReplies, queryNamesOf, reportsInvalidBody } from './route-contract.ts';

type Drawn = Record<string, [kind: string, settings?: Record<string, unknown>]>;

/** Nodes by ID; wires as `from.port > to`. `in` is the route. */
function drawn(nodes: Drawn, ...wires: string[]): PipelineDefinition {
  const all: Drawn = { in: ['rest-api', { mode: 'ingress' }], ...nodes };
  return {
    id: 'p',
    name: 'P',
    runAs: 'caller',
    grants: [],
    nodes: Object.entries(all).map(([id, [kind, settings = {}]]) => ({ id, kind, position: { x: 0, y: 0 }, settings })),
    wires: wires.map((wire) => {
      const [, from = '', port = '', to = ''] = /^(\w+)\.(\w+) > (\w+)$/.exec(wire) ?? [];
      return { from, port, to };
    }),
  };
}

const A = { type: 'object', required: ['a'] };
const B = { type: 'object', required: ['b'] };

test('a body must match the schema of the validate node on its way', () => {
  const pipeline = drawn(
    { log: ['log'], check: ['validate', { schema: A }], out: ['http-response'] },
    'in.out > log',
    'log.out > check',
    'check.out > out',
  );
  expect(bodySchemaOf(pipeline, 'in')).toEqual(A);
});

test('the schema does not count if the node checks something else, or the body was changed before', () => {
  const other = drawn({ check: ['validate', { schema: A, path: 'payload.query' }] }, 'in.out > check');
  expect(bodySchemaOf(other, 'in')).toBeNull();
  for (const change of [
    ['transform', { code: '' }],
    ['set', { assign: [{ path: 'payload.body.a', value: 1 }] }],
    ['some-plugin', {}],
  ] satisfies [string, Record<string, unknown>][]) {
    const changed = drawn({ change, check: ['validate', { schema: A }] }, 'in.out > change', 'change.out > check');
    expect(bodySchemaOf(changed, 'in'), change[0]).toBeNull();
  }
  const beside = drawn(
    { set: ['set', { assign: [{ path: 'payload.x', value: 1 }] }], check: ['validate', { schema: A }] },
    'in.out > set',
    'set.out > check',
  );
  expect(bodySchemaOf(beside, 'in')).toEqual(A);
});

test('of two in a row both must match; of two branches one; a branch without a schema accepts anything', () => {
  const nodes: Drawn = {
    way: ['switch'],
    a: ['validate', { schema: A }],
    b: ['validate', { schema: B }],
    out: ['http-response'],
  };
  expect(bodySchemaOf(drawn(nodes, 'in.out > a', 'a.out > b'), 'in')).toEqual({ allOf: [A, B] });
  expect(bodySchemaOf(drawn(nodes, 'in.out > way', 'way.x > a', 'way.y > b'), 'in')).toEqual({ anyOf: [A, B] });
  expect(bodySchemaOf(drawn(nodes, 'in.out > way', 'way.x > a', 'way.y > out'), 'in')).toBeNull();
  expect(bodySchemaOf(drawn(nodes, 'in.out > a', 'a.invalid > b'), 'in')).toEqual(A);
});

test('a ring of nodes does not cause an endless loop', () => {
  expect(bodySchemaOf(drawn({ a: ['log'], b: ['log'] }, 'in.out > a', 'a.out > b', 'b.out > a'), 'in')).toBeNull();
});

test('routes that lead into one ring share nothing that depends on where they enter it', () => {
  const nodes: Drawn = {
    other: ['rest-api', { mode: 'ingress' }],
    a: ['validate', { schema: A }],
    b: ['validate', { schema: B }],
  };
  const ring = drawn(nodes, 'in.out > a', 'other.out > b', 'a.out > b', 'b.out > a');
  const shared = new Map<string, unknown>();
  expect(bodySchemaOf(ring, 'in', shared)).toEqual({ allOf: [A, B] });
  expect(bodySchemaOf(ring, 'other', shared)).toEqual({ allOf: [B, A] });
});

test('fixed replies are found, and only those that a request of this route can reach', () => {
  const pipeline = drawn(
    {
      out: ['http-response', { status: 201 }],
      bad: ['http-response', { status: 400, body: { error: 'no' } }],
      other: ['http-response', { status: 500 }],
    },
    'in.out > out',
    'in.error > bad',
  );
  expect(fixedReplies(pipeline, 'in')).toEqual(
    expect.arrayContaining([{ status: 201 }, { status: 400, body: { error: 'no' } }]),
  );
  expect(fixedReplies(pipeline, 'in')).toHaveLength(2);
});

test('a validate node that answers the request itself is found', () => {
  const nodes: Drawn = {
    check: ['validate', { schema: A }],
    out: ['http-response'],
    fixed: ['http-response', { status: 422 }],
  };
  expect(reportsInvalidBody(drawn(nodes, 'in.out > check', 'check.invalid > out'), 'in')).toBe(true);
  expect(reportsInvalidBody(drawn(nodes, 'in.out > check', 'check.invalid > fixed'), 'in')).toBe(false);
});

test('the query parameters are those that nodes refer to', () => {
  const pipeline = drawn(
    {
      log: ['log', { message: '{{payload.query.line}} {{payload.body.x}}' }],
      t: ['transform', { code: 'msg.payload.query.from_day' }],
    },
    'in.out > log',
    'log.out > t',
  );
  expect(queryNamesOf(pipeline, 'in').toSorted()).toEqual(['from_day', 'line']);
});

test('a schema that refers to its own parts gets an ID, so that it can be placed in another document', () => {
  const schema = { $ref: '#/$defs/a', $defs: { a: A } };
  const pipeline = drawn({ check: ['validate', { schema }] }, 'in.out > check');
  expect(bodySchemaOf(pipeline, 'in')).toEqual({ $id: 'urn:sluice:schema:p:check', ...schema });
});

test('paths that branch and join repeatedly do not make the schema grow exponentially', () => {
  const nodes: Drawn = {};
  const wires = ['in.out > way0'];
  const LEVELS = 13;
  for (let at = 0; at < LEVELS; at++) {
    nodes[`way${at}`] = ['switch'];
    for (const side of ['a', 'b']) {
      nodes[`${side}${at}`] = ['validate', { schema: { type: 'object', required: [`${side}${at}`] } }];
      wires.push(`way${at}.${side} > ${side}${at}`, `${side}${at}.out > way${at + 1}`);
    }
  }
  nodes[`way${LEVELS}`] = ['http-response'];
  expect(JSON.stringify(bodySchemaOf(drawn(nodes, ...wires), 'in')).length).toBeLessThan(256 * 1024);
});
