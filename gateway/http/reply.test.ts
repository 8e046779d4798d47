import { expect, test } from 'vitest';
import type { Reply } from '#common/model/message.ts';
import { replyBody, replyHeaders } from './reply.ts';

const reply = (headers: Record<string, string>, contentType: string | null = 'text/plain'): Reply => ({
  status: 200,
  body: 'x',
  contentType,
  headers,
  errorWith200: false,
});
const isSandboxed = (type: string): boolean =>
  replyHeaders(reply({ 'content-type': type }), 1, 'id', [], []).includes('Content-Security-Policy');

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'application/problem+json',
  'text/plain; charset=utf-8',
  'text/plain ;charset=utf-8',
  'text/csv',
  'application/octet-stream',
  'application/pdf',
  'image/png',
  'application/vnd.ms-excel.sheet.macroEnabled.12',
  'application/xml-dtd',
])('%s runs nothing in a browser', (type) => {
  expect(isSandboxed(type)).toBe(false);
});

test.each([
  'text/html',
  'TEXT/HTML; charset=utf-8',
  ' text/html',
  'text/plain, text/html',
  'text/plain,text/html;charset=utf-8',
  'text/plain;, text/html',
  'text/plain; a="b", text/html',
  ',text/html',
  'application/json, text/html',
  'application/xhtml+xml',
  'image/svg+xml; charset=utf-8',
  'text/xml',
  'text/xsl',
  'multipart/x-mixed-replace; boundary=a',
  'message/rfc822',
  'no type',
  'html',
  '',
])('%s may be markup and is sandboxed', (type) => {
  expect(isSandboxed(type)).toBe(true);
});

test('a text with a header value that is not ASCII is sent as bytes, so that the value has one encoding', () => {
  expect(replyBody(reply({ 'x-a': 'Tuer' }))).toBe('x');
  expect(replyBody(reply({ 'x-a': 'Tür' }))).toEqual(Buffer.from('x'));
  expect(replyBody(reply({}, 'text/plain; a=ü'))).toEqual(Buffer.from('x'));
  expect(replyBody({ ...reply({ 'x-a': 'Tür' }), body: null })).toBeNull();
});
