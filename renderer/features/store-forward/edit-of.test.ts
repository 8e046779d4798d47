import { expect, test } from 'vitest';
import type { EgressPayload } from '#common/model/egress.ts';
import { editOf, fieldsOf, isPath } from './edit-of.ts';

const payload: EgressPayload = {
  idempotencyKey: 'k',
  orderingKey: null,
  path: '/orders',
  contentType: 'application/json',
  text: '{}',
  base64: null,
  traceparent: null,
};

test('only changes are sent', () => {
  const fields = fieldsOf(payload);
  expect(editOf(payload, fields)).toBeNull();
  expect(editOf(payload, { ...fields, text: '{"a":1}' })).toEqual({ text: '{"a":1}' });
  expect(editOf(payload, { ...fields, path: '/x' })).toEqual({ path: '/x' });
});

test('an emptied field is removed, and an absent one remains absent', () => {
  expect(editOf(payload, { path: '/orders', contentType: ' ', text: '' })).toEqual({ contentType: null, text: null });
  const bare = { ...payload, contentType: null, text: null };
  expect(editOf(bare, fieldsOf(bare))).toBeNull();
});

test('a body that is not text is never sent', () => {
  const bytes = { ...payload, text: null, base64: 'AAEC' };
  expect(editOf(bytes, { ...fieldsOf(bytes), text: 'x' })).toBeNull();
});

test('a valid path begins with / and is percent-encoded', () => {
  for (const path of ['/', '/orders/%20?line=7', '/a"b']) expect(isPath(path), path).toBe(true);
  for (const path of ['', 'orders', '/a b', '/a#b', '/ä', '/a\n']) expect(isPath(path), path).toBe(false);
});
