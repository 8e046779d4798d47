import { describe, expect, test } from 'vitest';
import { NodeError } from '#sdk';
import { messageOf, nodeOf, testRun } from '../sdk/testing.ts';
import { httpResponse } from './index.ts';

async function replyTo(payload: unknown, settings: unknown = {}) {
  const node = await nodeOf(httpResponse, settings);
  const run = testRun();
  expect(node.run(messageOf(payload), run)).toBe(undefined);
  return run.replies[0];
}

const JSON_TYPE = 'application/json';
const TEXT = 'text/plain; charset=utf-8';
const BYTES = 'application/octet-stream';

describe('the body of a reply', () => {
  test.each([
    ['an object is JSON', { a: [1, null, 'é'] }, JSON_TYPE, '{"a":[1,null,"é"]}'],
    ['a list is JSON', [1, 2], JSON_TYPE, '[1,2]'],
    ['an empty object is JSON', {}, JSON_TYPE, '{}'],
    ['a number is JSON', 0, JSON_TYPE, '0'],
    ['true is JSON', true, JSON_TYPE, 'true'],
    ['false is JSON', false, JSON_TYPE, 'false'],
    ['a string is text', 'hello', TEXT, 'hello'],
    ['an empty string is text', '', TEXT, ''],
    ['bytes are bytes', new Uint8Array([0, 255]), BYTES, new Uint8Array([0, 255])],
    ['a Buffer is bytes', Buffer.from('ab'), BYTES, Buffer.from('ab')],
    ['null is empty', null, null, null],
    [
      'bytes inside JSON are base64',
      { b: [new Uint8Array([1, 2, 3])], c: Buffer.from('hi') },
      JSON_TYPE,
      '{"b":["AQID"],"c":"aGk="}',
    ],
    ['an object without prototype is JSON', Object.assign(Object.create(null), { a: 1 }), JSON_TYPE, '{"a":1}'],
  ])('%s', async (_what, body, contentType, sent) => {
    expect(await replyTo({ body })).toEqual({ status: 200, contentType, headers: {}, body: sent, errorWith200: false });
  });

  test('that is long and fixed is the same buffer for every reply', async () => {
    const node = await nodeOf(httpResponse, { body: { text: 'é'.repeat(20_000) } });
    const run = testRun();
    for (const _ of [1, 2]) await node.run(messageOf({}), run);
    const [first, second] = run.replies;
    expect(first).toMatchObject({
      contentType: JSON_TYPE,
      body: new TextEncoder().encode(`{"text":"${'é'.repeat(20_000)}"}`),
    });
    expect(second?.body).toBe(first?.body);
  });

  test('that is absent is empty', async () => {
    expect(await replyTo({})).toMatchObject({ status: 200, contentType: null, body: null });
  });

  test('is not sent with a status that has none in HTTP', async () => {
    for (const status of [204, 205, 304])
      expect(await replyTo({ status, body: { a: 1 } })).toMatchObject({ status, contentType: null, body: null });
  });

  test('that cannot be written as JSON, or is nested too deeply, fails the node', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    await expect(replyTo({ body: circle })).rejects.toThrow();
    await expect(replyTo({ body: 1n })).rejects.toThrow();
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    await expect(replyTo({ body: deep })).rejects.toThrow(RangeError);
  });

  test('is never taken from payload.headers, and an inherited body does not count', async () => {
    expect(await replyTo({ body: 1, headers: { 'x-secret': 'a' } })).toMatchObject({ headers: {} });
    expect(await replyTo(Object.create({ body: 1, status: 201 }))).toMatchObject({ status: 200, body: null });
  });
});

describe('the status of a reply', () => {
  test.each([200, 201, 299, 404, 500, 599])('%d is sent', async (status) => {
    expect(await replyTo({ status, body: 'x' })).toMatchObject({ status });
  });

  test.each([199, 600, 100, 0, -1, 200.5, NaN, '200', null, true, {}, [200]])('%j fails the node', async (status) => {
    await expect(replyTo({ status })).rejects.toMatchObject({
      code: 'status_invalid',
      message: expect.stringMatching(/200 to 599/),
    });
  });

  test.each([undefined, null, 'text', 7, [1], new Uint8Array(1)])(
    'a payload that is %j fails the node instead of sending an empty reply',
    async (payload) => {
      if (payload instanceof Uint8Array) return expect(await replyTo(payload)).toMatchObject({ body: null });
      await expect(replyTo(payload)).rejects.toBeInstanceOf(NodeError);
    },
  );
});

describe('the settings take precedence', () => {
  test('over the status and body of the message', async () => {
    expect(await replyTo({ status: 200, body: 'a' }, { status: 503, body: { error: 'b' } })).toMatchObject({
      status: 503,
      body: '{"error":"b"}',
    });
  });

  test('over a wrong status and a payload that is not an object', async () => {
    expect(await replyTo(7, { status: 200, body: 'a' })).toMatchObject({ status: 200, body: 'a' });
  });

  test('with null too, which gives an empty reply', async () => {
    expect(await replyTo({ body: 'a' }, { body: null })).toMatchObject({ contentType: null, body: null });
  });
});

describe('a 200 whose body has an error key is marked', () => {
  test.each([
    [{ body: { error: 'no' } }, {}, true],
    [{ body: { error: null } }, {}, true],
    [{ status: 200, body: 'x' }, { body: { error: 'no' } }, true],
    [{ status: 400, body: { error: 'no' } }, {}, false],
    [{ status: 201, body: { error: 'no' } }, {}, false],
    [{ body: [{ error: 'no' }] }, {}, false],
    [{ body: 'error' }, {}, false],
    [{ body: { data: { error: 1 } } }, {}, false],
  ])('%j with settings %j: %s', async (payload, settings, marked) => {
    expect(await replyTo(payload, settings)).toMatchObject({ errorWith200: marked });
  });
});

describe('headers of a reply', () => {
  test('are filled from the message, with lower-case names', async () => {
    expect(
      await replyTo({ body: { id: 7 } }, { headers: { Location: '/orders/{{payload.body.id}}', 'X-Line': 'A' } }),
    ).toMatchObject({ headers: { location: '/orders/7', 'x-line': 'A' } });
  });

  test('take precedence over the content type of the body', async () => {
    const reply = await replyTo({ body: '<p>hi</p>' }, { headers: { 'Content-Type': 'text/html' } });
    expect(reply).toMatchObject({ contentType: 'text/html', headers: {}, body: '<p>hi</p>' });
  });

  test('are left out if their value is empty', async () => {
    expect(await replyTo({ body: 1 }, { headers: { 'x-a': '{{payload.none}}' } })).toMatchObject({ headers: {} });
  });

  test.each(['a\r\nSet-Cookie: x=y', 'a\nb', 'a\0b', 'a\tb', '\x7f', '€', 'x'.repeat(4_097)])(
    'with the value %j fail the node',
    async (value) => {
      await expect(replyTo({ value }, { headers: { 'x-a': '{{payload.value}}' } })).rejects.toMatchObject({
        code: 'header_invalid',
      });
    },
  );
});

describe('a reply that takes a long time to write', () => {
  const rows = Array.from({ length: 100_000 }, (_, n) => ({ id: n, name: `part ${n}`, tags: ['a', 'b'] }));
  const reply = async (payload: unknown, run = testRun()) => {
    const node = await nodeOf(httpResponse, {});
    await node.run(messageOf(payload), run);
    return run.replies[0];
  };

  test('is the same JSON, and lets other work run in between', async () => {
    const run = testRun();
    let turns = 0;
    const sent = await reply({ status: 201, body: rows }, { ...run, nextTurn: () => ((turns += 1), run.nextTurn()) });
    expect(sent).toMatchObject({ status: 201, contentType: JSON_TYPE, errorWith200: false });
    expect(String(sent?.body)).toBe(JSON.stringify(rows));
    expect(turns).toBeGreaterThan(3);
  });

  test('is marked for its error key, and has a bad status', async () => {
    expect(await reply({ body: { error: 'no', rows } })).toMatchObject({ status: 200, errorWith200: true });
    await expect(reply({ status: 99, body: rows })).rejects.toMatchObject({ code: 'status_invalid' });
  });

  test('ends with its run', async () => {
    const run = testRun();
    const turn = () => {
      run.controller.abort();
      return run.nextTurn();
    };
    await expect(reply({ body: rows }, { ...run, nextTurn: turn })).rejects.toThrow('aborted');
    expect(run.replies).toEqual([]);
  });

  test('fails if it contains itself', async () => {
    const circle: unknown[] = [...rows];
    circle.push(circle);
    await expect(reply({ body: circle })).rejects.toThrow(TypeError);
  });
});
