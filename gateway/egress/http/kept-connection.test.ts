import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '#test/until.ts';
import { SOCKETS_PER_AGENT_MAX } from './agents.ts';
import type { HttpCall, HttpClient } from './contract.ts';
import { answerOk, type EndingTarget, endingTarget } from './ending-target.testing.ts';
import { ask, callOf, Opened } from './target.testing.ts';

const opened = new Opened();
afterEach(() => opened.close());

const reset = (socket: Socket): void => void socket.resetAndDestroy();
const connectionsOf = ({ arrivals }: EndingTarget): number[] => arrivals.map(({ connection }) => connection);

function post(client: HttpClient, { origin }: EndingTarget, key: string, call: Partial<HttpCall> = {}) {
  const usual = { method: 'POST', headers: { 'Idempotency-Key': key }, body: Buffer.from('{"good":118}') };
  return ask(client, origin, { ...usual, ...call });
}

describe('a call on a kept connection that the target ends at the same moment', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['by its end', (socket) => socket.end()],
    ['by a reset', reset],
  ])('%s, is sent once more on a new one, with the same key', async (_how, second) => {
    const target = await endingTarget(opened, { second });
    const client = opened.clientFor(target);
    expect(await post(client, target, 'a')).toMatchObject({ kind: 'answered', repeated: false });
    expect(await post(client, target, 'b')).toMatchObject({ kind: 'answered', status: 200, repeated: true });
    expect(connectionsOf(target)).toEqual([0, 0, 1]);
    expect(target.arrivals.map(({ key }) => key)).toEqual(['a', 'b', 'b']);
  });

  test('while a large body is sent, is sent once more', async () => {
    const target = await endingTarget(opened, { second: reset });
    const client = opened.clientFor(target);
    await post(client, target, 'a');
    const body = Buffer.alloc(4 * 1024 * 1024, 'x');
    expect(await post(client, target, 'b', { body })).toMatchObject({ kind: 'answered', repeated: true });
    expect(connectionsOf(target)).toEqual([0, 0, 1]);
  });

  test('is not sent on another kept one, which may have ended as well', async () => {
    const waiting: (() => void)[] = [];
    const first = (socket: Socket, connection: number): void =>
      connection < 2 ? void waiting.push(() => answerOk(socket, connection)) : answerOk(socket, connection);
    const target = await endingTarget(opened, { first });
    const client = opened.clientFor(target);
    const calls = [post(client, target, 'a'), post(client, target, 'b')];
    await until('two connections are in use', () => waiting.length === 2);
    for (const answer of waiting) answer();
    await Promise.all(calls);
    expect(await post(client, target, 'c')).toMatchObject({ kind: 'answered', repeated: true });
    expect(connectionsOf(target).slice(2)).toEqual([expect.any(Number), 2]);
    expect(target.connections).toHaveLength(3);
  });

  test('is sent once more even if it had waited for that connection', async () => {
    const waiting: (() => void)[] = [];
    const target = await endingTarget(opened, {
      first: (socket, connection) => void waiting.push(() => answerOk(socket, connection)),
    });
    const client = opened.clientFor(target);
    const calls = Array.from({ length: SOCKETS_PER_AGENT_MAX + 5 }, (_, call) => post(client, target, `${call}`));
    await until('the connections are used up', () => waiting.length === SOCKETS_PER_AGENT_MAX);
    const answering = setInterval(() => waiting.splice(0).forEach((answer) => answer()), 5);
    const results = await Promise.all(calls);
    clearInterval(answering);
    expect(results.filter(({ kind }) => kind === 'answered')).toHaveLength(calls.length);
    expect(results.filter(({ repeated }) => repeated)).toHaveLength(5);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['ends', (socket) => socket.end()],
    ['is reset', reset],
  ])('fails once when the new one %s too', async (_how, end) => {
    const target = await endingTarget(opened, {
      first: (socket, connection) => (connection === 0 ? answerOk(socket, connection) : end(socket)),
    });
    const client = opened.clientFor(target);
    await post(client, target, 'a');
    expect(await post(client, target, 'b')).toMatchObject({
      kind: 'unreachable',
      text: 'the connection ended before the answer was whole (ECONNRESET)',
      repeated: true,
    });
    expect(connectionsOf(target)).toEqual([0, 0, 1]);
  });

  test('fails with the error of the new one', async () => {
    const target = await endingTarget(opened, {
      second: (socket) => {
        target.server.close();
        socket.end();
      },
    });
    const client = opened.clientFor(target);
    await post(client, target, 'a');
    expect(await post(client, target, 'b')).toMatchObject({
      kind: 'unreachable',
      text: 'the connection was refused (ECONNREFUSED)',
      repeated: true,
    });
  });

  test('ends at its timeout, which covers both attempts', async () => {
    const target = await endingTarget(opened, {
      first: (socket, connection) => (connection === 0 ? answerOk(socket, connection) : undefined),
      second: (socket) => void setTimeout(() => socket.end(), 500),
    });
    const client = opened.clientFor(target);
    await post(client, target, 'a');
    const result = await post(client, target, 'b', { timeoutMs: 700 });
    expect(result).toMatchObject({ kind: 'timeout', text: 'no whole answer within 0.7 s', repeated: true });
    expect(result.durationMs).toBeLessThan(1_150);
    expect(connectionsOf(target)).toEqual([0, 0, 1]);
  });

  test('is not sent again once it was cancelled', async () => {
    const ends = new AbortController();
    const target = await endingTarget(opened, { second: () => ends.abort() });
    const client = opened.clientFor(target);
    await post(client, target, 'a');
    const result = await client.call(callOf(target.origin), ends.signal);
    expect(result).toMatchObject({ kind: 'cancelled', repeated: false });
    expect(connectionsOf(target)).toEqual([0, 0]);
  });
});

describe('a call is not sent again', () => {
  test.each([
    ['one byte', 'H'],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['103 ahead of it', 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'],
    ['a head', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'],
    ['half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'],
  ])('when its response began with %s', async (_what, begun) => {
    const target = await endingTarget(opened, { second: (socket) => void socket.end(begun) });
    const client = opened.clientFor(target);
    await post(client, target, 'a');
    expect(await post(client, target, 'b')).toMatchObject({ kind: 'unreachable', repeated: false });
    expect(connectionsOf(target)).toEqual([0, 0]);
  });

  test('when the first connection of the call ends', async () => {
    const target = await endingTarget(opened, { first: (socket) => void socket.end() });
    expect(await post(opened.clientFor(target), target, 'a')).toMatchObject({ kind: 'unreachable', repeated: false });
    expect(connectionsOf(target)).toEqual([0]);
  });

  test('when the data on the kept connection is not HTTP', async () => {
    const target = await endingTarget(opened, { second: (socket) => void socket.end('SSH-2.0-dropbear\r\n') });
    const client = opened.clientFor(target);
    await post(client, target, 'a');
    expect(await post(client, target, 'b')).toMatchObject({ kind: 'unreachable', repeated: false });
    expect(connectionsOf(target)).toEqual([0, 0]);
  });
});

describe('a call that may not arrive twice', () => {
  test('is never sent on a kept connection', async () => {
    const target = await endingTarget(opened);
    const client = opened.clientFor(target);
    await post(client, target, 'kept');
    for (const key of ['a', 'b', 'c'])
      expect(await post(client, target, key, { repeatable: false })).toMatchObject({
        kind: 'answered',
        repeated: false,
      });
    expect(connectionsOf(target)).toEqual([0, 1, 2, 3]);
  });

  test('has its own connection even if it waited for a place, whether or not the target ends the connection', async () => {
    const waiting: (() => void)[] = [];
    const target = await endingTarget(opened, {
      first: (socket, connection) => void waiting.push(() => answerOk(socket, connection)),
    });
    const client = opened.clientFor(target);
    const calls = Array.from({ length: SOCKETS_PER_AGENT_MAX + 5 }, (_, call) =>
      post(client, target, `${call}`, { repeatable: false }),
    );
    await until('the connections are used up', () => waiting.length === SOCKETS_PER_AGENT_MAX);
    const answering = setInterval(() => waiting.splice(0).forEach((answer) => answer()), 5);
    const results = await Promise.all(calls);
    clearInterval(answering);
    expect(results.filter(({ kind }) => kind === 'answered')).toHaveLength(calls.length);
    expect(connectionsOf(target).toSorted((a, b) => a - b)).toEqual(calls.map((_, index) => index));
    await until('they are closed', () => target.connections.every((socket) => socket.destroyed));
  });

  test('declares that its connection is not kept', async () => {
    const target = await opened.http((req, res) => res.end(req.headers.connection));
    const client = opened.clientFor(target);
    expect(await ask(client, target.origin, { repeatable: false })).toMatchObject({ body: Buffer.from('close') });
    expect(await ask(client, target.origin)).toMatchObject({ body: Buffer.from('keep-alive') });
  });
});
