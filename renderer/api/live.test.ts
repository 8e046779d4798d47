import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { EVENT_CHARS_MAX } from './event-stream.ts';
import { followEvents, REOPEN_MS } from './live.ts';
import { endSession, SESSION_KEY } from './session.ts';
import { forgetSessionToken, rememberSessionToken } from './session-token.ts';

/** The network: each call of `/events` gets the next of these responses; other calls get none. */
let answers: (() => Response)[] = [];
let asked: { path: string; token: string | null }[] = [];
const streams = () => asked.filter(({ path }) => path === '/api/v1/events');

beforeEach(() => {
  [answers, asked] = [[], []];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    asked.push({ path, token: new Headers(init.headers).get('x-csrf-token') });
    const answer = path === '/api/v1/events' ? answers.shift() : undefined;
    if (answer === undefined) throw new TypeError('no network');
    return answer();
  });
  vi.useFakeTimers();
  rememberSessionToken('the token');
  return () => {
    forgetSessionToken();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

const refused = () => Response.json({ code: 'overloaded', detail: 'Too many.', status: 503 }, { status: 503 });
const streamOf = (...parts: string[]) => {
  const body = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
    },
  });
  return () => new Response(body);
};
const settled = () => vi.advanceTimersByTimeAsync(0);

test('a refused stream is opened again, and missed data is read then', async () => {
  const client = new QueryClient();
  const read = vi.spyOn(client, 'invalidateQueries');
  answers = [refused, streamOf()];
  const stop = followEvents(client);
  await settled();
  expect(streams()).toHaveLength(1);
  expect(read).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(REOPEN_MS);
  expect(streams()).toHaveLength(2);
  expect(read).toHaveBeenCalledExactlyOnceWith();
  stop();
});

test('every stream sends the session token, which EventSource could not', async () => {
  answers = [streamOf()];
  const stop = followEvents(new QueryClient());
  await settled();
  expect(streams()).toEqual([{ path: '/api/v1/events', token: 'the token' }]);
  stop();
});

test('events are read correctly however the network splits them', async () => {
  const client = new QueryClient();
  const read = vi.spyOn(client, 'invalidateQueries');
  answers = [
    streamOf('retry: 2000\n\n: alive\n\nevent: cha', 'nged\ndata: {"what":"key"}\n', '\nevent: other\ndata: {}\n\n'),
  ];
  const stop = followEvents(client);
  await settled();
  expect(read).toHaveBeenCalledOnce();
  const fits = read.mock.calls[0]?.[0]?.predicate;
  const query = (name: string) => ({ queryKey: [name] }) as unknown as Parameters<NonNullable<typeof fits>>[0];
  expect(['keys', 'people'].map((name) => fits?.(query(name)))).toEqual([true, false]);
  stop();
});

test('an event that never ends is not kept', async () => {
  answers = [streamOf(`event: changed\ndata: ${'x'.repeat(EVENT_CHARS_MAX)}`), streamOf()];
  const stop = followEvents(new QueryClient());
  await vi.advanceTimersByTimeAsync(REOPEN_MS);
  expect(streams()).toHaveLength(2);
  stop();
});

test('no stream is opened after the pages are closed', async () => {
  answers = [refused];
  const stop = followEvents(new QueryClient());
  await settled();
  stop();
  await vi.advanceTimersByTimeAsync(10 * REOPEN_MS);
  expect(streams()).toHaveLength(1);
});

test('the end of a session removes all data read in it', () => {
  const client = new QueryClient();
  client.setQueryData(['egress-event', 'e1'], { payload: 'secret' });
  client.setQueryData(SESSION_KEY, { kind: 'in' });
  endSession(client);
  expect(client.getQueryCache().findAll()).toHaveLength(1);
  expect(client.getQueryData(SESSION_KEY)).toEqual({ kind: 'out', ended: false });
  // A call that was in flight at the log-out.
  endSession(client, true);
  expect(client.getQueryData(SESSION_KEY)).toEqual({ kind: 'out', ended: false });
  client.clear();
});
