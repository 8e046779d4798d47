import type { Alarm } from '#common/model/records.ts';

/**
 * What is not as it should be, told until it is: on every page of the UI and in `GET /status`. One alarm a code.
 * Codes are ours and few; nothing here grows with traffic.
 */
export interface Alarms {
  /** Raises the alarm, or changes its text and keeps its time. */
  raise(code: string, text: string): void;
  clear(code: string): void;
  /** Raises or clears, as `on` says. */
  set(code: string, on: boolean, text: string): void;
  list(): Alarm[];
  onChange(listener: () => void): () => void;
}

export function createAlarms(now: () => Date = () => new Date()): Alarms {
  const standing = new Map<string, Alarm>();
  const listeners = new Set<() => void>();
  const tell = () => listeners.forEach((listener) => listener());
  const alarms: Alarms = {
    raise(code, text) {
      const before = standing.get(code);
      if (before?.text === text) return;
      standing.set(code, { code, text, since: before?.since ?? now().toISOString() });
      tell();
    },
    clear(code) {
      if (standing.delete(code)) tell();
    },
    set(code, on, text) {
      if (on) alarms.raise(code, text);
      else alarms.clear(code);
    },
    list: () => [...standing.values()],
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return alarms;
}
