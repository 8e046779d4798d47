import { expect, test } from 'vitest';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import { type RoutePipeline, routePipeline } from '#test/route-pipeline.ts';
import { replyChanged } from './reply-changed.ts';

/** The warning of a start that changes the reply under an unchanged path (docs/spec/pipelines.md#check). */
const order: RoutePipeline = {
  id: 'orders',
  path: '/v1/orders',
  method: 'POST',
  middle: [{ kind: 'log', settings: { message: 'an order' } }],
  reply: { status: 201, body: { accepted: true } },
};
const definition = (more: RoutePipeline = {}) => pipelineDefinition.parse(routePipeline({ ...order, ...more }));
const codes = (more: RoutePipeline) => replyChanged(definition(), definition(more)).map(({ code }) => code);

test('a different reply under the same path causes a warning that names the route', () => {
  const found = replyChanged(definition(), definition({ reply: { status: 201, body: { id: 7 } } }));
  expect(found).toEqual([{ code: 'reply_changed', message: expect.stringContaining('POST /v1/orders') as string }]);
});

test.each<[string, RoutePipeline]>([
  ['the same reply', {}],
  ['another reply under another path', { path: '/v2/orders', reply: { status: 200 } }],
  ['another reply to another method', { method: 'PUT', reply: { status: 200 } }],
  ['a node that does not shape the reply', { middle: [{ kind: 'log', settings: { message: 'another text' } }] }],
])('%s causes no warning', (_name, more) => {
  expect(codes(more)).toEqual([]);
});

test('a pipeline that does not run changes nothing for callers', () => {
  expect(replyChanged(null, definition())).toEqual([]);
});
