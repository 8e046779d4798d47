import { afterAll, describe, expect, test } from 'vitest';
import { TESTS_MAX } from './limits.ts';
import { actor, definition, ingress, makeHarness, NOBODY, response } from './harness.ts';
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
    const record = await runtime.test(start(echo), { payload: { body: { id: 7 } } }, NOBODY);
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
    expect(await runtime.test(start(echo), { node: 'other' }, NOBODY)).toMatchObject({ status: 202 });
  });

  test('needs no message', async () => {
    expect(await runtime.test(start(echo), undefined, NOBODY)).toMatchObject({ status: 200 });
    expect(await runtime.test(start(echo), null, NOBODY)).toMatchObject({ status: 200 });
  });

  test('is over as soon as nothing is left to do, reply or not', async () => {
    const record = await runtime.test(start(definition([ingress({ timeout: 3600 })], [])), {}, NOBODY);
    expect(record).toMatchObject({ outcome: 'ended', status: null, error: null });
  });

  test('is in the ring beside the others, marked', async () => {
    const record = await runtime.test(start({ ...echo, id: 'ringed' }), {}, NOBODY);
    expect(runtime.runs('p', 'ringed')).toEqual([record]);
  });

  test.each([
    [{ payload: 7 }, 'message.payload', /object/],
    [{ node: 'gone' }, 'message.node', /"gone"/],
    [{ node: 'set' }, 'message.node', /"set"/],
    [{ body: 1 }, 'message', /unknown field "body"/],
    ['text', 'message', /./],
  ])('is refused for the message %j', async (message, path, says) => {
    await expect(runtime.test(start(echo), message, NOBODY)).rejects.toMatchObject({
      code: 'invalid',
      errors: [{ path, message: expect.stringMatching(says) }],
    });
  });

  test('is refused for a pipeline that cannot start or has no entry', async () => {
    await expect(runtime.test(start(definition([ingress({ timeout: 0 })], [])), {}, NOBODY)).rejects.toMatchObject({
      code: 'invalid',
    });
    await expect(runtime.test(start(definition([], [])), {}, NOBODY)).rejects.toMatchObject({
      errors: [{ path: 'message.node' }],
    });
  });

  test('closes its nodes; only a few run at once', async () => {
    const waiting = start(definition([ingress(), { id: 'waits', kind: 'actor' }, response()], ['in → waits → reply']));
    const running = Array.from({ length: TESTS_MAX }, () => runtime.test(waiting, {}, NOBODY));
    await expect(runtime.test(waiting, {}, NOBODY)).rejects.toMatchObject({ code: 'conflict' });
    await expect.poll(() => open.length).toBe(TESTS_MAX);
    for (const one of open) one();
    await Promise.all(running);
    expect(closed).toBe(TESTS_MAX);
    expect(await runtime.test(start(echo), {}, NOBODY)).toMatchObject({ outcome: 'replied' });
  });
});

describe('a test of a part', () => {
  let ran: string[] = [];
  const noted = (id: string): NodeInstance => ({
    run: (message) => {
      ran.push(id);
      return { port: 'out', message };
    },
    close: () => void closed++,
  });
  const parts = makeHarness([actor({ first: noted('first'), second: noted('second'), aside: noted('aside') })]).runtime;
  afterAll(() => parts.close());
  const acts = (id: string) => ({ id, kind: 'actor', settings: { act: id } });
  const line = definition(
    [ingress(), acts('first'), acts('second'), acts('aside'), response()],
    ['in → first → second → reply', 'in → aside'],
  );
  const run = async (part: object, message: object = {}) => {
    ran = [];
    const record = await parts.test(start(line), message, NOBODY, part);
    return { record, ran };
  };

  test('up to a node runs the paths that lead to it, and nothing after it or beside it', async () => {
    const { record, ran: nodes } = await run({ upTo: 'first' });
    expect(nodes).toEqual(['first']);
    expect(record).toMatchObject({ outcome: 'ended', steps: [{ node: 'in' }, { node: 'first' }] });
  });

  test('one node gets the payload unchanged', async () => {
    const { record, ran: nodes } = await run({ only: 'second' }, { payload: { n: 7 } });
    expect(nodes).toEqual(['second']);
    expect(record.steps).toMatchObject([{ node: 'second', input: { payload: { n: 7 } } }]);
  });

  test('a pinned node gives its value and does not run, but is closed', async () => {
    closed = 0;
    const { record, ran: nodes } = await run({ pins: { first: { port: 'out', payload: { pinned: true } } } });
    expect(nodes).toEqual(['second', 'aside']);
    expect(record.steps.find(({ node }) => node === 'second')?.input).toMatchObject({ payload: { pinned: true } });
    expect(closed).toBe(3);
  });

  test('a pinned value in a loop is copied only within the limit of a run', async () => {
    const loop = definition(
      [ingress(), acts('first'), acts('second'), response()],
      ['in → first → second', 'second → first'],
    );
    const payload = Array.from({ length: 200_000 }, () => []);
    const record = await parts.test(start(loop), {}, NOBODY, { pins: { first: { port: 'out', payload } } });
    expect(record.steps.find((step) => step.error?.code !== undefined)).toMatchObject({
      node: 'first',
      error: { code: 'copies_too_large' },
    });
  });

  test.each([
    [{ upTo: 'gone' }, 'part.upTo', /no enabled node "gone"/],
    [{ only: 'gone' }, 'part.only', /no enabled node "gone"/],
    [{ pins: { first: { port: 'sideways', payload: 1 } } }, 'part.pins.first.port', /no port "sideways"/],
  ])('%j is refused by name', async (part, path, says) => {
    await expect(run(part)).rejects.toMatchObject({
      code: 'invalid',
      errors: [{ path, message: expect.stringMatching(says) }],
    });
  });

  test('a node that the start does not lead to is refused', async () => {
    const two = definition([ingress(), acts('first'), acts('second')], ['in → first']);
    await expect(parts.test(start(two), {}, NOBODY, { upTo: 'second' })).rejects.toMatchObject({
      errors: [{ path: 'part.upTo', message: expect.stringContaining('no path leads from "in" to "second"') }],
    });
  });
});
