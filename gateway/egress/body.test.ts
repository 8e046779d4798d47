import { describe, expect, test } from 'vitest';
import { NodeError } from '#sdk';
import { decodeAnswer, encodeBody as encode } from './body.ts';
import { CALL_BYTES_MAX } from './http/contract.ts';

const encodeBody = (value: unknown) => encode(value, new AbortController().signal);
const codeOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return error instanceof NodeError ? error.code : error;
  }
};
const circle: Record<string, unknown> = {};
circle['self'] = circle;

describe('the body of a call', () => {
  test.each([
    [{ a: [1, 'ä'] }, '{"a":[1,"ä"]}', 'application/json'],
    [[], '[]', 'application/json'],
    [{ a: new Uint8Array([104, 105]) }, '{"a":"aGk="}', 'application/json'],
    [0, '0', 'application/json'],
    [false, 'false', 'application/json'],
    ['7 %', '7 %', 'text/plain; charset=utf-8'],
    ['', '', 'text/plain; charset=utf-8'],
    [new Uint8Array([104, 105]), 'hi', 'application/octet-stream'],
  ])('%j is sent as %s, %s', async (value, text, contentType) => {
    const encoded = await encodeBody(value);
    expect(Buffer.from(encoded.bytes ?? []).toString()).toBe(text);
    expect(encoded.contentType).toBe(contentType);
  });

  test.each([null, undefined])('%s is not a body', async (value) => {
    expect(await encodeBody(value)).toEqual({ bytes: null, contentType: null });
  });

  test.each([
    ['a circular reference', circle],
    ['a function', () => 1],
    ['a big integer', 1n],
    ['a symbol', Symbol('s')],
  ])('%s is refused', async (_what, value) => {
    expect(await codeOf(() => encodeBody(value))).toBe('call_invalid');
  });

  test('may have at most 16 MiB', async () => {
    expect((await encodeBody(new Uint8Array(CALL_BYTES_MAX))).bytes?.byteLength).toBe(CALL_BYTES_MAX);
    expect(await codeOf(() => encodeBody(new Uint8Array(CALL_BYTES_MAX + 1)))).toBe('call_too_large');
    expect(await codeOf(() => encodeBody('x'.repeat(CALL_BYTES_MAX)))).not.toBe('call_too_large');
    expect(await codeOf(() => encodeBody(['x'.repeat(CALL_BYTES_MAX)]))).toBe('call_too_large');
  });

  const rows = Array.from({ length: 100_000 }, (_, n) => ({ n, name: `row ${n}` }));

  test('releases the event loop in between when it is long', async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => void (isOver || ((turns += 1), setImmediate(count)));
    setImmediate(count);
    const { bytes } = await encodeBody(rows);
    isOver = true;
    expect(turns).toBeGreaterThan(10);
    expect(JSON.parse(Buffer.from(bytes ?? []).toString())).toEqual(rows);
  });

  test('is no longer written once its call has ended', async () => {
    const call = new AbortController();
    const encoded = encode(rows, call.signal);
    call.abort(new Error('ended'));
    await expect(encoded).rejects.toThrow();
  });
});

describe('the body of a response', () => {
  const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
  test.each<[string, string, unknown]>([
    ['{"a":1}', 'application/json', { a: 1 }],
    ['{"a":1}', 'application/problem+json; charset=utf-8', { a: 1 }],
    ['ä', 'text/csv', 'ä'],
    ['a=1&a=2&b=+', 'application/x-www-form-urlencoded', { a: ['1', '2'], b: ' ' }],
    ['', 'application/json', null],
    ['hi', '', bytes('hi')],
    ['hi', 'application/pdf', bytes('hi')],
    ['{"a":', 'application/json', bytes('{"a":')],
    ['{"__proto__":{"a":1}}', 'application/json', bytes('{"__proto__":{"a":1}}')],
    ['hi', 'text/plain; charset=latin1', bytes('hi')],
  ])('%s of the type "%s"', (text, type, expected) => {
    const decoded = decodeAnswer(bytes(text), type);
    expect(decoded).toEqual(expected);
    expect(decoded instanceof Uint8Array).toBe(expected instanceof Uint8Array);
  });

  test('that is not UTF-8 remains bytes', () => {
    expect(decodeAnswer(new Uint8Array([0xff, 0xfe]), 'text/plain')).toEqual(new Uint8Array([0xff, 0xfe]));
  });
});
