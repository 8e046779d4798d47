import { expect, test } from 'vitest';
import { ResponseParser } from './response-parser.ts';

const parse = (text: string, heads: boolean[] = []) => new ResponseParser(heads).push(Buffer.from(text, 'latin1'), 0);

test('responses are read one after the other, by length, by chunks and without a body', () => {
  const text =
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: 1\r\n\r\nab' +
    'HTTP/1.1 100 Continue\r\n\r\n' +
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nc\r\n2\r\nde\r\n0\r\n\r\n' +
    'HTTP/1.1 204 No Content\r\n\r\n';
  expect(parse(text).map((one) => [one.status, one.text()])).toEqual([
    [200, 'ab'],
    [100, ''],
    [200, 'cde'],
    [204, ''],
  ]);
});

test('bytes may arrive one by one, and an incomplete response is kept', () => {
  const parser = new ResponseParser();
  const bytes = Buffer.from('HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nabcHTTP');
  const seen = [...bytes].flatMap((byte) => parser.push(Buffer.of(byte), 0));
  expect(seen.map((one) => one.text())).toEqual(['abc']);
  expect(parser.rest.toString()).toBe('HTTP');
});

test('the response to HEAD has a length but no body', () => {
  const text = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n';
  expect(parse(text + text, [true, true])).toHaveLength(2);
});

test.each([
  ['another version', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ['a status out of range', 'HTTP/1.1 700 X\r\nContent-Length: 0\r\n\r\n'],
  ['no framing', 'HTTP/1.1 200 OK\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n'],
  ['length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['a length on 204', 'HTTP/1.1 204 X\r\nContent-Length: 0\r\n\r\n'],
  ['a space before the colon', 'HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n'],
  ['folding', 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n'],
  ['a control byte', 'HTTP/1.1 200 OK\r\nX: a\x01\r\nContent-Length: 0\r\n\r\n'],
  ['a bad chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
])('%s is an error', (_name, text) => {
  expect(() => parse(text)).toThrow(/not strict HTTP/);
});
