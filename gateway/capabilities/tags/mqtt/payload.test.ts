import { describe, expect, test } from 'vitest';
import { mqttTag } from './mqtt-tag.testing.ts';
import { MESSAGE_BYTES_MAX, MessageReader, faultOf, payloadOf } from './payload.ts';

const ARRIVED = 1_700_000_000_000;
const read = (payload: string | Buffer, type: string, source: object = {}) =>
  new MessageReader({ payload: Buffer.from(payload), arrived: ARRIVED }).sampleOf(
    mqttTag('a', { topic: 't', ...source }, { type }),
  );
const good = (value: unknown) => ({ value, quality: 'good', reason: null, time: ARRIVED, arrived: true });
const bad = (reason: string) => ({
  value: null,
  quality: 'bad',
  reason: expect.stringContaining(reason),
  time: ARRIVED,
  arrived: true,
});

describe('a whole message', () => {
  test.each<[string, string, unknown]>([
    ['21.5', 'number', 21.5],
    [' -3e2\n', 'number', -300],
    ['7', 'integer', 7],
    ['true', 'boolean', true],
    ['OFF', 'boolean', false],
    ['1', 'boolean', true],
    ['läuft', 'text', 'läuft'],
    ['{"a":[1]}', 'json', { a: [1] }],
  ])('%j as %s', (payload, type, value) => expect(read(payload, type)).toEqual(good(value)));

  test.each(['0x10', 'NaN', ''])('%j is bad as a number', (payload) => {
    expect(read(payload, 'number')).toEqual(bad('not a number'));
  });

  test('another word is bad as a boolean, and half an object as JSON', () => {
    expect(read('yes', 'boolean')).toEqual(bad('must be true, false'));
    expect(read('{"a":', 'json')).toEqual(bad('not JSON'));
  });

  test('bytes that are not UTF-8 and messages over the limit are bad', () => {
    expect(read(Buffer.from([0xff, 0xfe]), 'text')).toEqual(bad('not UTF-8'));
    expect(read(Buffer.alloc(MESSAGE_BYTES_MAX, 'a'), 'text')).toMatchObject({ quality: 'good' });
    expect(read(Buffer.alloc(MESSAGE_BYTES_MAX + 1, 'a'), 'text')).toEqual(bad('at most 262144'));
  });
});

describe('a value in JSON', () => {
  const payload =
    '{"data":{"t":21.5,"on":true,"list":[4,5]},"time":"2026-03-01T06:00:00Z","s":1772344800,"__proto__":{"x":1}}';

  test.each<[string, unknown]>([
    ['data.t', 21.5],
    ['data.on', true],
    ['data.list.1', 5],
  ])('%s', (jsonPath, value) => expect(read(payload, 'number', { jsonPath })).toEqual(good(value)));

  test.each(['data.nothing', 'x', 'data.toString', 'data.t.y'])('%s is reported as missing', (jsonPath) =>
    expect(read(payload, 'number', { jsonPath })).toEqual(bad(`nothing at "${jsonPath}"`)),
  );

  test('malformed JSON is bad', () => expect(read('{', 'number', { jsonPath: 'a' })).toEqual(bad('not JSON')));

  test('the time may be RFC 3339, seconds or milliseconds; without it the value is uncertain', () => {
    const time = Date.parse('2026-03-01T06:00:00Z');
    const at = (timePath: string, text = payload) => read(text, 'number', { jsonPath: 'data.t', timePath });
    expect(at('time')).toEqual({ value: 21.5, quality: 'good', reason: null, time });
    expect(at('s')).toMatchObject({ quality: 'good', time });
    expect(at('ms', `{"data":{"t":1},"ms":${time}}`)).toMatchObject({ quality: 'good', time });
    expect(at('data.on')).toMatchObject({ value: 21.5, quality: 'uncertain', time: ARRIVED, arrived: true });
  });

  test('an invalid path is reported at once', () => {
    expect(faultOf(mqttTag('a', { topic: 't', jsonPath: 'a..b' }))).toContain('expected a path');
    expect(faultOf(mqttTag('a', { topic: 't', jsonPath: 'a.b' }))).toBeNull();
  });
});

describe('written payloads', () => {
  test.each<[object, unknown, string]>([
    [{}, 21.5, '21.5'],
    [{}, true, 'true'],
    [{}, 'auto', 'auto'],
    [{}, { a: 1 }, '{"a":1}'],
    [{ jsonPath: 'set.speed' }, 5, '{"set":{"speed":5}}'],
    [{ jsonPath: '__proto__.x' }, 5, '{"__proto__":{"x":5}}'],
  ])('%j with %j becomes %s', (source, value, payload) =>
    expect(payloadOf(mqttTag('a', { topic: 't', ...source }), value)).toBe(payload),
  );

  test('a path into a list cannot be written', () => {
    const attempt = () => payloadOf(mqttTag('a', { topic: 't', jsonPath: 'list.0' }), 1);
    expect(attempt).toThrow(expect.objectContaining({ code: 'tag_write_failed' }));
  });
});
