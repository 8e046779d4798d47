import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ShellState } from '../host/shell-view.ts';
import type { News } from './alarm-news.ts';
import { LOOK_EVERY_MS, mustStayAwake, watchHost } from './host-watch.ts';
import { alarmOf, stateWith } from './shell-state.testing.ts';

let state: ShellState;
let listeners: Set<() => void>;
let shown: ShellState[];
let told: News[];
let awake: boolean[];
beforeEach(() => {
  vi.useFakeTimers();
  state = stateWith({ routesStarted: 0, routesAnswering: 0 });
  listeners = new Set();
  shown = [];
  told = [];
  awake = [];
});
afterEach(() => vi.useRealTimers());

function begin(): () => void {
  return watchHost({
    view: {
      state: () => state,
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    news: (alarms) => alarms.map(({ text }) => ({ title: 'alarm', body: text })),
    now: () => 0,
    effects: {
      show: (one) => void shown.push(one),
      notify: (one) => void told.push(one),
      keepAwake: (on) => void awake.push(on),
    },
  });
}

test('the PC stays awake only while a route is started', () => {
  const end = begin();
  expect(awake).toEqual([]);
  state = stateWith({ routesStarted: 1 });
  listeners.forEach((listener) => listener());
  listeners.forEach((listener) => listener());
  expect(awake).toEqual([true]);
  state = stateWith({ routesStarted: 0 });
  vi.advanceTimersByTime(LOOK_EVERY_MS);
  expect(awake).toEqual([true, false]);
  end();
  expect(awake).toEqual([true, false]);
});

test('the PC stays awake while the gateway is being restarted', () => {
  expect(mustStayAwake(stateWith({ gateway: { state: 'dead' }, routesAnswering: 0 }))).toBe(true);
});

test('the state is shown at once, at each change of the gateway and every five seconds, and alarms are reported', () => {
  const end = begin();
  expect(shown).toHaveLength(1);
  listeners.forEach((listener) => listener());
  expect(shown).toHaveLength(2);
  state = stateWith({ alarms: [alarmOf('a')] });
  vi.advanceTimersByTime(LOOK_EVERY_MS);
  expect(shown).toHaveLength(3);
  expect(told).toEqual([{ title: 'alarm', body: 'a is on.' }]);
  end();
  expect(listeners.size).toBe(0);
  vi.advanceTimersByTime(10 * LOOK_EVERY_MS);
  expect(shown).toHaveLength(3);
});

test('the PC may sleep again after the end', () => {
  state = stateWith();
  begin()();
  expect(awake).toEqual([true, false]);
});
