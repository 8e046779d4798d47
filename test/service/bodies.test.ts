import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import { expectRefusal } from '#test/expect-refusal.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, unknownKey } from '#test/make-key.ts';
import { type Call, call, openRaw, type RawResponse, requestBytes } from '#test/raw-request.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { bytesRead, upload } from '#test/upload.ts';
import { whatRan } from '#test/what-ran.ts';

/** Bodies (docs/spec/requests.md#bodies) and steps 7 and 8: the parsed value of a body, and how much of it is read. */
const LIMIT = 64 * 1024;
const MIB = 1024 * 1024;
const key = makeKey();
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    keys: [key],
    pipelines: [
      routePipeline({ id: 'echo', method: 'POST', path: '/echo', route: { maxPayloadSize: LIMIT } }),
      routePipeline({
        id: 'huge',
        method: 'POST',
        path: '/huge',
        route: { maxPayloadSize: '12 MB' },
        middle: [],
        reply: { body: 'ok' },
      }),
      routePipeline({
        id: 'none',
        method: 'POST',
        path: '/none',
        route: { maxPayloadSize: 0 },
        middle: [],
        reply: { body: 'ok' },
      }),
    ],
  });
});
afterAll(() => gateway?.stop());

const post = (body: string | Uint8Array, headers: Record<string, string> = {}, more: Call = {}) =>
  call(gateway.port, { method: 'POST', path: '/echo', key: key.value, headers, body, ...more });
const seen = (response: RawResponse) => (response.json() as { body: unknown }).body;
const utf16 = Buffer.from('"ä"', 'utf16le');

describe('body parsing', () => {
  test.each<[string, string | Uint8Array, string | null, unknown]>([
    ['a JSON object', '{"a":[1,2,{"b":null}]}', 'application/json', { a: [1, 2, { b: null }] }],
    ['JSON with a charset', '{"a":"ä"}', 'application/json; charset=utf-8', { a: 'ä' }],
    ['JSON with a quoted charset in capitals', '{"a":1}', 'Application/JSON; Charset="UTF-8"', { a: 1 }],
    ['a JSON text alone', '"x"', 'application/json', 'x'],
    ['JSON null', 'null', 'application/json', null],
    ['a +json type', '{"a":1}', 'application/vnd.mes.order+json', { a: 1 }],
    ['text', 'line 1\nline 2 ä', 'text/plain', 'line 1\nline 2 ä'],
    ['CSV', 'a;b', 'text/csv; charset=UTF-8', 'a;b'],
    ['a form', 'a=1&b=x+y&b=%C3%A4&c', 'application/x-www-form-urlencoded', { a: '1', b: ['x y', 'ä'], c: '' }],
    ['bytes', Uint8Array.of(0, 255, 16), 'application/octet-stream', Buffer.from([0, 255, 16]).toString('base64')],
    ['bytes without a Content-Type', '{"a":1}', null, Buffer.from('{"a":1}').toString('base64')],
    ['XML as bytes', '<a/>', 'application/xml', Buffer.from('<a/>').toString('base64')],
    ['nothing, as JSON', '', 'application/json', null],
    ['nothing, as a form', '', 'application/x-www-form-urlencoded', null],
    ['nothing, as text', '', 'text/plain', null],
    ['nothing, as bytes', '', 'application/octet-stream', null],
    [
      'a form field named constructor',
      'constructor=2',
      'application/x-www-form-urlencoded',
      JSON.parse('{"constructor":"2"}'),
    ],
  ])('%s', async (_name, body, contentType, expected) => {
    const response = await post(body, contentType === null ? {} : { 'Content-Type': contentType });
    expect(response.status).toBe(200);
    expect(seen(response)).toEqual(expected);
  });

  test('a missing body is parsed as null', async () => {
    const response = await call(gateway.port, { method: 'POST', path: '/echo', key: key.value });
    expect(seen(response)).toBe(null);
  });

  test('a chunked body is parsed like one with a declared length', async () => {
    const headers = { 'Transfer-Encoding': 'chunked', 'Content-Type': 'application/json' };
    expect(seen(await post('3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n', headers))).toEqual({ a: 1 });
    expect(seen(await post('0\r\n\r\n', headers))).toBe(null);
  });
});

describe('the response to an unreadable body', () => {
  const CAUSE = 'The body does not match its Content-Type. Cause:';
  test.each<[string, string | Uint8Array, string]>([
    ['an extra comma', '{"a":1,}', 'the body is not JSON, from line 1, column 8 on'],
    ['a missing comma', '{"a":\n1\n"b":2}', 'the body is not JSON, from line 3, column 1 on'],
    ['the wrong quotes', "{'a':1}", 'the body is not JSON, from line 1, column 2 on'],
    ['an error that already names its place', '[x in JSON at position 3 (line 3 column 3)', 'the body is not JSON'],
    ['an object that is cut off', '{"a":1', 'the JSON ends too early'],
    ['one after a byte order mark', '\ufeff{"a":1', 'the JSON ends too early'],
    ['a string that is cut off', '{"a":"forbidden', 'the JSON ends too early'],
    ['a word that JSON does not have', '{"forbidden":NaN}', 'the body is not JSON'],
    ['a prototype', '{"__proto__":1}', 'the JSON has a forbidden prototype property'],
    ['Latin-1', Uint8Array.of(0x22, 0xfc, 0x22), 'the body is not UTF-8'],
  ])('%s', async (_name, body, fault) => {
    const response = await post(body, { 'Content-Type': 'application/json' });
    const requestId = expectRefusal(response, 'body_invalid');
    expect(response.json()).toMatchObject({ detail: `${CAUSE} ${fault}.` });
    const [row] = await gateway.journalRows(requestId);
    const [cause, at] = fault.split(', from ');
    expect(row?.why).toMatchObject({
      cause,
      compared: { contentType: 'application/json', ...(at && { at: at.replace(' on', '') }) },
    });
  });
});

test('the response to JSON that curl -d sends as form data', async () => {
  const response = await post('{"orderId":"WO-1042"}', { 'Content-Type': 'application/x-www-form-urlencoded' });
  expectRefusal(response, 'body_invalid');
  expect(response.json()).toMatchObject({
    detail: expect.stringContaining('send the header Content-Type: application/json') as string,
  });
});

describe('unreadable bodies', () => {
  test.each<[string, string | Uint8Array, Record<string, string>, ErrorCode]>([
    ['half a JSON object', '{"a":', { 'Content-Type': 'application/json' }, 'body_invalid'],
    ['two JSON values', '{} {}', { 'Content-Type': 'application/json' }, 'body_invalid'],
    ['only a space', ' ', { 'Content-Type': 'application/json' }, 'body_invalid'],
    ['NaN', 'NaN', { 'Content-Type': 'application/json' }, 'body_invalid'],
    ['__proto__ in a form', 'a=1&__proto__=1', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'body_invalid'],
    ['__proto__ in JSON', '{"__proto__":{"admin":true}}', { 'Content-Type': 'application/json' }, 'body_invalid'],
    ['__proto__ deep in JSON', '[{"a":{"__proto__":1}}]', { 'Content-Type': 'application/json' }, 'body_invalid'],
    ['__proto__ by an escape', '{"__pr\\u006fto__":{"x":1}}', { 'Content-Type': 'application/json' }, 'body_invalid'],
    [
      'constructor.prototype',
      '{"constructor":{"prototype":{"x":1}}}',
      { 'Content-Type': 'application/json' },
      'body_invalid',
    ],
    [
      'JSON in another charset',
      '{}',
      { 'Content-Type': 'application/json; charset=iso-8859-1' },
      'unsupported_media_type',
    ],
    ['JSON in UTF-16', utf16, { 'Content-Type': 'application/json; charset=utf-16' }, 'unsupported_media_type'],
    ['JSON that is not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), { 'Content-Type': 'application/json' }, 'body_invalid'],
    ['text that is not UTF-8', Uint8Array.of(0xff), { 'Content-Type': 'text/plain' }, 'body_invalid'],
    ['a form with a bad escape', 'a=%zz', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'body_invalid'],
    ['a form that is not UTF-8', 'a=%ff', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'body_invalid'],
    [
      'gzip',
      gzipSync('{}'),
      { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      'unsupported_media_type',
    ],
    ['deflate', 'x', { 'Content-Encoding': 'deflate' }, 'unsupported_media_type'],
    ['br', 'x', { 'Content-Encoding': 'br' }, 'unsupported_media_type'],
    ['identity and gzip', 'x', { 'Content-Encoding': 'identity, gzip' }, 'unsupported_media_type'],
  ])('%s is refused and nothing runs', async (_name, body, headers, code) => {
    const before = await whatRan(gateway, 'echo');
    expectRefusal(await post(body, headers), code);
    expect(await whatRan(gateway, 'echo')).toEqual(before);
  });

  test('the refusal does not repeat the body', async () => {
    expect((await post('{"password":"tops3cret"', { 'Content-Type': 'application/json' })).text()).not.toContain(
      'tops3cret',
    );
  });

  test('deeply nested JSON neither blocks nor stops the gateway', async () => {
    const depth = LIMIT / 2;
    const response = await post('['.repeat(depth) + ']'.repeat(depth), { 'Content-Type': 'application/json' });
    expect([200, 400, 500]).toContain(response.status);
    expect((await post('{}', { 'Content-Type': 'application/json' })).status).toBe(200);
  });
});

describe('body size', () => {
  const text = { 'Content-Type': 'text/plain' };

  test('a body of exactly the limit is served', async () => {
    expect(seen(await post('x'.repeat(LIMIT), text))).toHaveLength(LIMIT);
  });

  test('a declared length one byte over the limit gets 413, even if the caller sends the whole body', async () => {
    const requestId = expectRefusal(await post('x'.repeat(LIMIT + 1), text), 'payload_too_large');
    expect((await gateway.journalRows(requestId))[0]).toMatchObject({ status: 413, why: { step: 7 } });
  });

  test('a chunked body one byte over the limit gets 413 too', async () => {
    const body = `${(LIMIT + 1).toString(16)}\r\n${'x'.repeat(LIMIT + 1)}\r\n0\r\n\r\n`;
    const before = await whatRan(gateway, 'echo');
    expectRefusal(await post(body, { ...text, 'Transfer-Encoding': 'chunked' }), 'payload_too_large');
    expect(await whatRan(gateway, 'echo')).toEqual(before);
  });

  test('a caller who sends 6 MiB more than the limit still sees the 413', async () => {
    expectRefusal(await post(Buffer.alloc(6 * MIB), {}, { timeoutMs: 10_000 }), 'payload_too_large');
  });

  test('a caller that sends more than 8 MiB is disconnected', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send(
      requestBytes({ method: 'POST', path: '/echo', key: key.value, headers: { 'Content-Length': String(64 * MIB) } }),
    );
    const sending = upload(connection.socket, Buffer.alloc(256 * 1024), 64 * MIB);
    await connection.closed();
    await sending;
    expect(connection.socket.bytesWritten).toBeLessThan(40 * MIB);
  });

  test('a limit of 0 accepts no body', async () => {
    expect((await call(gateway.port, { method: 'POST', path: '/none', key: key.value })).status).toBe(200);
    expectRefusal(
      await call(gateway.port, { method: 'POST', path: '/none', key: key.value, body: 'x' }),
      'payload_too_large',
    );
  });

  test('a body of 12 MiB is served if the route allows it, and its memory is released', async () => {
    const response = await call(gateway.port, {
      method: 'POST',
      path: '/huge',
      key: key.value,
      body: Buffer.alloc(12 * MIB),
      timeoutMs: 20_000,
    });
    expect(response.status).toBe(200);
    expect((await gateway.call('stats', {})).bodyBytes).toBe(0);
  });
});

describe('Expect: 100-continue', () => {
  const expecting = (more: Call) =>
    requestBytes({
      method: 'POST',
      path: '/echo',
      headers: { Expect: '100-continue', 'Content-Length': '2', ...more.headers },
      ...(more.key !== undefined && { key: more.key }),
    });

  test('is answered after the checks that precede the body have passed', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send(expecting({ key: key.value }));
    expect((await connection.next()).status).toBe(100);
    connection.send('{}');
    expect((await connection.next()).status).toBe(200);
  });

  test.each<[string, Call, ErrorCode]>([
    ['a bad key', { key: unknownKey() }, 'key_invalid'],
    ['no key', {}, 'key_missing'],
    [
      'a declared size over the limit',
      { key: key.value, headers: { 'Content-Length': String(LIMIT + 1) } },
      'payload_too_large',
    ],
  ])('is not answered after %s', async (_name, request, code) => {
    await using connection = await openRaw(gateway.port);
    connection.send(expecting(request));
    expectRefusal(await connection.next(), code);
    await connection.closed();
    expect(connection.responses).toHaveLength(1);
  });
});

describe('before the key is verified', () => {
  test.each([
    ['no key', undefined],
    ['an unknown key', unknownKey()],
  ])('reads at most 128 KiB of an upload with %s', async (_name, value) => {
    await using connection = await openRaw(gateway.port);
    const headers = { 'Content-Length': String(10 * MIB) };
    const before = await bytesRead(gateway.pid);
    connection.send(
      requestBytes({ method: 'POST', path: '/huge', headers, ...(value !== undefined && { key: value }) }),
    );
    connection.send(Buffer.alloc(10 * MIB));
    expectRefusal(await connection.next(), value === undefined ? 'key_missing' : 'key_invalid');
    await connection.closed();
    // All reads of the process count; a few KiB are its own.
    if (before !== null) expect((await bytesRead(gateway.pid)) ?? 0).toBeLessThan(before + 160 * 1024);
    expect((await gateway.call('stats', {})).bodyBytes).toBe(0);
  });

  test('reads the whole upload with a valid key', async () => {
    const before = await bytesRead(gateway.pid);
    const request = { method: 'POST', path: '/huge', key: key.value, body: Buffer.alloc(10 * MIB) };
    expect((await call(gateway.port, { ...request, timeoutMs: 20_000 })).status).toBe(200);
    if (before !== null) expect((await bytesRead(gateway.pid)) ?? 0).toBeGreaterThan(before + 10 * MIB);
  });
});
