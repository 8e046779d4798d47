import { expect, test } from 'vitest';
import type { Settings } from './draft.ts';
import { summaryOf } from './summary.ts';

const text = (value: string) => ({ code: 'text', text: value });

test.each<[string, Settings, object]>([
  ['rest-api', { mode: 'ingress', method: 'POST', urlPattern: '/api/v1/orders' }, text('POST /api/v1/orders')],
  ['rest-api', { mode: 'egress', url: 'https://erp.werk2.example/in' }, text('erp.werk2.example/in')],
  ['http-response', { status: 201 }, { code: 'status', count: 201 }],
  ['http-response', {}, text('payload.status')],
  ['validate', { schema: { title: 'order.v1', required: ['a'] } }, text('order.v1')],
  ['validate', { schema: { required: ['orderId', 'line'] } }, text('orderId, line')],
  ['validate', { schema: true }, text('payload.body')],
  ['transform', { code: 'a\nb\nc\n' }, { code: 'lines', count: 3 }],
  ['set', { assign: [{ path: 'payload.a' }, { path: 'payload.b' }] }, { code: 'more', text: 'payload.a', count: 1 }],
  ['tag-read', { tags: 'line7/filler/*' }, text('line7/filler/*')],
  ['tag-write', { writes: [{ tag: 'line7/speed' }] }, text('line7/speed')],
  ['timer', { every: 10 }, { code: 'every', count: 10 }],
  ['timer', { cron: '0 6 * * *' }, text('0 6 * * *')],
  ['delay', { seconds: 2 }, { code: 'seconds', count: 2 }],
  ['sql', { sql: '\nSELECT 1\nFROM x' }, text('SELECT 1')],
  ['transaction', { statements: [{}, {}] }, { code: 'statements', count: 2 }],
  ['named-query', { query: 'orders_insert' }, text('orders_insert')],
  ['named-query', {}, { code: 'none' }],
  ['third-party', { mode: 'x', depth: 3, place: 'gate 4' }, text('gate 4')],
  ['third-party', {}, { code: 'none' }],
])('%s %j', (kind, settings, expected) => {
  expect(summaryOf(kind, settings)).toEqual(expected);
});
