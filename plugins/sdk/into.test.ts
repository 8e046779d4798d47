import { describe, expect, test } from 'vitest';
import { intoField, writeInto, z } from '#sdk';
import { messageOf } from './testing.ts';

const settings = z.strictObject({ into: intoField });

describe('where a result is written', () => {
  test('is payload.result by default', () => {
    expect(settings.parse({})).toEqual({ into: ['payload', 'result'] });
    expect(settings.parse({ into: 'payload.body.a\\.b' })).toEqual({ into: ['payload', 'body', 'a.b'] });
    expect(z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' })).toMatchObject({
      properties: { into: { type: 'string', default: 'payload.result', title: 'Into' } },
    });
    expect(settings.safeParse({}).success).toBe(true);
  });

  test.each([
    'payload',
    'request.id',
    '',
    'payload.__proto__',
    'payload.constructor.x',
    7,
    `payload.${'x'.repeat(2_000)}`,
  ])('is never %o', (into) => {
    expect(settings.safeParse({ into }).success).toBe(false);
  });

  test('receives the value, and everything next to it is unchanged', () => {
    const payload = Object.freeze({ body: Object.freeze({ id: 1 }) });
    const error = { node: 'a', code: 'b', message: 'c' };
    const written = writeInto({ ...messageOf(payload), error }, ['payload', 'result', 'tags'], [1]);
    expect(written).toEqual({ ...messageOf({ body: { id: 1 }, result: { tags: [1] } }), error });
    expect((written.payload as typeof payload).body).toBe(payload.body);
  });

  test('creates a payload if there is none, and refuses one that is a string', () => {
    expect(writeInto(messageOf(null), ['payload', 'result'], 1).payload).toEqual({ result: 1 });
    expect(() => writeInto(messageOf('text'), ['payload', 'result'], 1)).toThrow('payload is a string');
  });
});
