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

test('the schema of a validate node on the way is what a body must fit', () => {
  const pipeline = drawn(
    { log: ['log'], check: ['validate', { schema: A }], out: ['http-response'] },
    'in.out > log',
    'log.out > check',
    'check.out > out',
  );
  expect(bodySchemaOf(pipeline, 'in')).toEqual(A);
});

test('it does not count when it checks something else, or after the body was changed', () => {
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

test('two in a row must both fit; of two branches one; a branch without a schema takes anything', () => {
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

test('a ring of nodes ends', () => {
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

test('replies that are fixed are found, and only those that a request of this route can reach', () => {
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

test('a validate node that answers by itself is seen', () => {
  const nodes: Drawn = {
    check: ['validate', { schema: A }],
    out: ['http-response'],
    fixed: ['http-response', { status: 422 }],
  };
  expect(reportsInvalidBody(drawn(nodes, 'in.out > check', 'check.invalid > out'), 'in')).toBe(true);
  expect(reportsInvalidBody(drawn(nodes, 'in.out > check', 'check.invalid > fixed'), 'in')).toBe(false);
});

test('names of the query are those that nodes speak of', () => {
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

test('a schema that refers to its own parts gets an id, so that it can stand in another document', () => {
  const schema = { $ref: '#/$defs/a', $defs: { a: A } };
  const pipeline = drawn({ check: ['validate', { schema }] }, 'in.out > check');
  expect(bodySchemaOf(pipeline, 'in')).toEqual({ $id: 'urn:sluice:schema:p:check', ...schema });
});

test('ways that part and meet again and again do not double the schema without end', () => {
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
