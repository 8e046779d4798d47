import type { ShellState, ShellView } from '../host/shell-view.ts';
import type { News } from './alarm-news.ts';
import type { Alarm } from '#common/model/records.ts';

/** Alarms about callers change with time alone, so they are polled. */
export const LOOK_EVERY_MS = 5_000;

export interface WatchEffects {
  show(state: ShellState): void;
  notify(news: News): void;
  /** True: the system must not go to sleep. Called when it changes. */
  keepAwake(on: boolean): void;
}

export interface WatchParts {
  view: Pick<ShellView, 'state' | 'onChange'>;
  news: (alarms: readonly Alarm[], nowMs: number) => News[];
  now: () => number;
  effects: WatchEffects;
}

/**
 * Watches the host until the returned function is called: immediately when the gateway changes state, otherwise every
 * five seconds.
 */
export function watchHost({ view, news, now, effects }: WatchParts, everyMs = LOOK_EVERY_MS): () => void {
  let awake = false;
  const look = (): void => {
    const state = view.state();
    effects.show(state);
    for (const one of news(state.alarms, now())) effects.notify(one);
    const needed = mustStayAwake(state);
    if (needed !== awake) effects.keepAwake((awake = needed));
  };
  look();
  const unsubscribe = view.onChange(look);
  const timer = setInterval(look, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    unsubscribe();
    if (awake) effects.keepAwake((awake = false));
  };
}

/** A sleeping PC serves nobody. It should not fall asleep while a gateway is being restarted either. */
export function mustStayAwake({ routesStarted }: Pick<ShellState, 'routesStarted'>): boolean {
  return routesStarted > 0;
}
