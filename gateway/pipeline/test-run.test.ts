import { afterAll, describe, expect, test } from 'vitest';
import { TESTS_MAX } from './limits.ts';
import { actor, definition, ingress, makeHarness, response } from './harness.ts';
import type { NodeInstance } from '#sdk';

let closed = 0;
const open: (() => void)[] = [];
const waits: NodeInstance = {
  run: (message) => new Promise((resolve) => open.push(() => resolve({ port: 'out', message }))),
  close: () => void closed++,
};
const { runtime } = makeHarness([actor({ waits })]);
afterAll(() => runtime.close());

const start = (definitionOf: ReturnType<typeof definition>) => ({
  project: 'p',
  revision: 3,
  definition: definitionOf,
});
const echo = definition(
  [
    ingress(),
    { id: 'set', kind: 'set', settings: { assign: [{ path: 'payload.body', from: 'request.method' }] } },
    response(),
    { ...ingress({ urlPattern: '/other', authType: 'none' }), id: 'other' },
    response({ status: 202 }, 'reply2'),
  ],
  ['in → set → reply', 'other → reply2'],
);

describe('a test of a draft', () => {
  test('runs the message from the first entry and returns the record', async () => {
    const record = await runtime.test(start(echo), { payload: { body: { id: 7 } } }, 0);
    expect(record).toMatchObject({
      test: true,
      outcome: 'replied',
      status: 200,
      revision: 3,
      steps: [{ node: 'in' }, { node: 'set', output: { payload: { body: 'GET' } } }, { node: 'reply' }],
    });
    expect(record.steps[0]?.input).toEqual({ payload: { body: { id: 7 }, params: {}, query: {}, headers: {} } });
  });

  test('runs from the entry that it names', async () => {
    expect(await runtime.test(start(echo), { node: 'other' }, 0)).toMatchObject({ status: 202 });
  });

  test('needs no message', async () => {
    expect(await runtime.test(start(echo), undefined, 0)).toMatchObject({ status: 200 });
    expect(await runtime.test(start(echo), null, 0)).toMatchObject({ status: 200 });
  });

  test('is over as soon as nothing is left to do, reply or not', async () => {
    const record = await runtime.test(start(definition([ingress({ timeout: 3600 })], [])), {}, 0);
    expect(record).toMatchObject({ outcome: 'ended', status: null, error: null });
  });

  test('is in the ring beside the others, marked', async () => {
    const record = await runtime.test(start({ ...echo, id: 'ringed' }), {}, 0);
    expect(runtime.runs('p', 'ringed')).toEqual([record]);
  });

  test.each([
    [{ payload: 7 }, 'message.payload', /object/],
    [{ node: 'gone' }, 'message.node', /"gone"/],
    [{ node: 'set' }, 'message.node', /"set"/],
    [{ body: 1 }, 'message', /unknown field "body"/],
    ['text', 'message', /./],
  ])('is refused for the message %j', async (message, path, says) => {
    await expect(runtime.test(start(echo), message, 0)).rejects.toMatchObject({
      code: 'invalid',
      errors: [{ path, message: expect.stringMatching(says) }],
    });
  });

  test('is refused for a pipeline that cannot start or has no entry', async () => {
    await expect(runtime.test(start(definition([ingress({ timeout: 0 })], [])), {}, 0)).rejects.toMatchObject({
      code: 'invalid',
    });
    await expect(runtime.test(start(definition([], [])), {}, 0)).rejects.toMatchObject({
      errors: [{ path: 'message.node' }],
    });
  });

  test('closes its nodes; only a few run at once', async () => {
    const waiting = start(definition([ingress(), { id: 'waits', kind: 'actor' }, response()], ['in → waits → reply']));
    const running = Array.from({ length: TESTS_MAX }, () => runtime.test(waiting, {}, 0));
    await expect(runtime.test(waiting, {}, 0)).rejects.toMatchObject({ code: 'conflict' });
    await expect.poll(() => open.length).toBe(TESTS_MAX);
    for (const one of open) one();
    await Promise.all(running);
    expect(closed).toBe(TESTS_MAX);
    expect(await runtime.test(start(echo), {}, 0)).toMatchObject({ outcome: 'replied' });
  });
});
