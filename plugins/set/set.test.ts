import { describe, expect, test } from 'vitest';
import { emitted, faultsOf, messageOf, nodeOf, testRun } from '../sdk/testing.ts';
import { set } from './index.ts';

async function after(payload: unknown, ...assign: unknown[]): Promise<unknown> {
  const node = await nodeOf(set, { assign });
  const message = messageOf(deepFreeze(payload));
  return emitted(node.run(message, testRun())).payload;
}

/** A node that modified its input would throw. */
function deepFreeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  for (const entry of Object.values(value)) deepFreeze(entry);
  return Object.freeze(value);
}

describe('an assignment', () => {
  test.each([
    ['writes a value', {}, { path: 'payload.a', value: 1 }, { a: 1 }],
    ['writes null', { a: 1 }, { path: 'payload.a', value: null }, { a: null }],
    ['makes the objects on the way', {}, { path: 'payload.a.b.c', value: 1 }, { a: { b: { c: 1 } } }],
    ['writes below null as below nothing', { a: null }, { path: 'payload.a.b', value: 1 }, { a: { b: 1 } }],
    ['leaves its neighbours', { a: { x: 1 }, b: 2 }, { path: 'payload.a.y', value: 3 }, { a: { x: 1, y: 3 }, b: 2 }],
    ['replaces an entry of a list', { l: [1, 2] }, { path: 'payload.l.1', value: 9 }, { l: [1, 9] }],
    ['adds an entry to a list', { l: [1] }, { path: 'payload.l.1', value: 9 }, { l: [1, 9] }],
    [
      'writes inside an entry of a list',
      { l: [{ a: 1 }] },
      { path: 'payload.l.0.b', value: 2 },
      { l: [{ a: 1, b: 2 }] },
    ],
    ['takes a dot in a name', {}, { path: 'payload.a\\.b', value: 1 }, { 'a.b': 1 }],
    ['copies from a path', { a: { b: [1] } }, { path: 'payload.c', from: 'payload.a.b' }, { a: { b: [1] }, c: [1] }],
    ['copies nothing as null', {}, { path: 'payload.c', from: 'payload.none' }, { c: null }],
    ['copies from outside payload', {}, { path: 'payload.c', from: 'caller' }, { c: null }],
    [
      'fills a template',
      { n: 7, o: { x: 1 } },
      { path: 'payload.t', template: '{{payload.n}}-{{ payload.o }}-{{payload.none}}' },
      { n: 7, o: { x: 1 }, t: '7-{"x":1}-' },
    ],
    ['removes a field', { a: 1, b: 2 }, { path: 'payload.a', remove: true }, { b: 2 }],
    ['removes a deep field', { a: { b: 1, c: 2 } }, { path: 'payload.a.b', remove: true }, { a: { c: 2 } }],
    ['removes an entry of a list', { l: [1, 2, 3] }, { path: 'payload.l.1', remove: true }, { l: [1, 3] }],
    ['removes a field in an entry of a list', { l: [{ a: 1 }] }, { path: 'payload.l.0.a', remove: true }, { l: [{}] }],
    ['has nothing to remove where nothing is', { a: 1 }, { path: 'payload.b.c', remove: true }, { a: 1 }],
    ['has nothing to remove in a string', { a: 'x' }, { path: 'payload.a.length', remove: true }, { a: 'x' }],
    ['does not take a list’s length for an entry', { l: [1] }, { path: 'payload.l.length', remove: true }, { l: [1] }],
    ['makes a payload where there was none', null, { path: 'payload.a', value: 1 }, { a: 1 }],
  ])('%s', async (_what, payload, assign, expected) => {
    expect(await after(payload, assign)).toEqual(expected);
  });

  test.each([
    ['a string', { a: 'x' }, 'payload.a.b', /payload\.a is a string/],
    ['a number', { a: 1 }, 'payload.a.b', /payload\.a is a number/],
    ['bytes', { a: new Uint8Array(2) }, 'payload.a.0', /byte array/],
    ['a list, past its end', { a: [1] }, 'payload.a.2', /index from 0 to 1/],
    ['a list, by a name', { a: [1] }, 'payload.a.b', /index from 0 to 1/],
    ['a payload that is a string', 'x', 'payload.a', /payload is a string/],
  ])('cannot write below %s', async (_what, payload, path, says) => {
    await expect(after(payload, { path, value: 1 })).rejects.toMatchObject({
      code: 'path_invalid',
      message: expect.stringMatching(says),
    });
  });

  test('sees the results of previous ones', async () => {
    expect(
      await after(
        { a: 1 },
        { path: 'payload.b', from: 'payload.a' },
        { path: 'payload.a', remove: true },
        { path: 'payload.c', template: '{{payload.b}}{{payload.a}}' },
      ),
    ).toEqual({ b: 1, c: '1' });
  });

  test('shares what it does not change and leaves the rest of the message unchanged', async () => {
    const payload = { same: { x: 1 }, a: {} };
    const node = await nodeOf(set, { assign: [{ path: 'payload.a.b', value: 1 }] });
    const error = { node: 'x', code: 'y', message: 'z' };
    const outcome = node.run({ payload, request: null, caller: null, error }, testRun());
    expect((emitted(outcome).payload as typeof payload).same).toBe(payload.same);
    expect(outcome).toMatchObject({ message: { error, request: null } });
    expect(payload).toEqual({ same: { x: 1 }, a: {} });
  });

  test('copies an own property named __proto__ as a plain one', async () => {
    const made = (await after(JSON.parse('{"__proto__": {"admin": true}}'), { path: 'payload.a', value: 1 })) as object;
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect('admin' in made).toBe(false);
    const removed = (await after(JSON.parse('{"__proto__": {"admin": true}, "a": 1}'), {
      path: 'payload.a',
      remove: true,
    })) as object;
    expect('admin' in removed).toBe(false);
  });
});

describe('a path to write is refused', () => {
  test.each([
    'payload',
    'request.id',
    'caller',
    'error',
    '',
    'payload.',
    '.payload',
    'payload..a',
    'payload.__proto__.a',
    'payload.a.__proto__',
    'payload.constructor',
    'payload.constructor.prototype.x',
    'payload.a.prototype',
  ])('%j', (path) => {
    expect(faultsOf(set, { assign: [{ path, value: 1 }] })).toEqual([
      expect.stringMatching(/^assign\.0\.path: (expected|")/),
    ]);
  });

  test('in more than one way at the same time', () => {
    expect(faultsOf(set, { assign: [{ path: 'payload.a', value: 1, from: 'payload.b' }] })).toEqual([
      expect.stringContaining('exactly one of'),
    ]);
    expect(faultsOf(set, { assign: [{ path: 'payload.a', remove: false }] })).toEqual([
      expect.stringContaining('expected one of true'),
    ]);
  });
});
