import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { followEvents, REOPEN_MS } from './live.ts';
import { endSession, SESSION_KEY } from './session.ts';

/** The browser's, with what the network does said by the test. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static made: FakeEventSource[] = [];
  readyState = 0;

  constructor() {
    super();
    FakeEventSource.made.push(this);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  /** Answered with an error, after which a browser does not try again. */
  refuse(): void {
    this.readyState = FakeEventSource.CLOSED;
    this.dispatchEvent(new Event('error'));
  }
}

beforeEach(() => {
  FakeEventSource.made = [];
  vi.stubGlobal('EventSource', FakeEventSource);
  vi.stubGlobal('fetch', async () => Response.error());
  vi.useFakeTimers();
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

test('a stream that was refused is opened anew, and what was missed is read then', () => {
  const client = new QueryClient();
  const read = vi.spyOn(client, 'invalidateQueries');
  const stop = followEvents(client);
  FakeEventSource.made[0]?.refuse();
  vi.advanceTimersByTime(REOPEN_MS);
  expect(FakeEventSource.made).toHaveLength(2);
  expect(read).not.toHaveBeenCalled();
  FakeEventSource.made[1]?.dispatchEvent(new Event('open'));
  expect(read).toHaveBeenCalledExactlyOnceWith();
  stop();
  expect(FakeEventSource.made[1]?.readyState).toBe(FakeEventSource.CLOSED);
});

test('nothing is opened any more after the pages are gone', () => {
  const stop = followEvents(new QueryClient());
  FakeEventSource.made[0]?.refuse();
  stop();
  vi.advanceTimersByTime(10 * REOPEN_MS);
  expect(FakeEventSource.made).toHaveLength(1);
});

test('the end of a session takes away all that was read in it', () => {
  const client = new QueryClient();
  client.setQueryData(['egress-event', 'e1'], { payload: 'secret' });
  client.setQueryData(SESSION_KEY, { kind: 'in' });
  endSession(client);
  expect(client.getQueryCache().findAll()).toHaveLength(1);
  expect(client.getQueryData(SESSION_KEY)).toEqual({ kind: 'out', ended: false });
  // A call that was under way at the log-out.
  endSession(client, true);
  expect(client.getQueryData(SESSION_KEY)).toEqual({ kind: 'out', ended: false });
  client.clear();
});
