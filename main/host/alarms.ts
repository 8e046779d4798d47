import { inEnglish, type Phrase } from '#common/alarms/phrase.ts';
import type { Alarm } from '#common/model/records.ts';

/**
 * Conditions that need attention, reported until they end: on every page of the UI and in `GET /status`. One alarm per
 * code. Codes are fixed and few; nothing here grows with traffic. An acknowledgement lasts until the alarm clears,
 * until its subject changes, or until the host ends.
 */
export interface Alarms {
  /** Raises the alarm, or changes its text and keeps its time. */
  raise(code: string, text: string, more?: AlarmDetails): void;
  clear(code: string): void;
  /** Raises or clears, as `on` says. */
  set(code: string, on: boolean, text: string, more?: AlarmDetails): void;
  list(): Alarm[];
  /** Null: there is no such alarm now. */
  acknowledge(code: string, by: string): Alarm | null;
  onChange(listener: () => void): () => void;
}

export interface AlarmDetails {
  /** The values in the text, for translations. */
  values?: Alarm['values'];
  /** Values that are words. Each is put into `values` in English. */
  phrases?: Record<string, Phrase[]>;
  /** The subject: when it changes, an earlier acknowledgement no longer applies. */
  subject?: string;
}

interface Standing extends Alarm {
  subject: string;
}

export function createAlarms(now: () => Date = () => new Date()): Alarms {
  const standing = new Map<string, Standing>();
  const listeners = new Set<() => void>();
  const tell = () => listeners.forEach((listener) => listener());
  const alarms: Alarms = {
    raise(code, text, { values = {}, phrases, subject = '' } = {}) {
      const before = standing.get(code);
      if (before?.text === text && before.subject === subject) return;
      const since = before?.since ?? now().toISOString();
      const more = phrases === undefined ? { values } : { values: { ...inWords(phrases), ...values }, phrases };
      standing.set(code, { code, text, ...more, since, subject, ...acknowledged(before, subject) });
      tell();
    },
    clear(code) {
      if (standing.delete(code)) tell();
    },
    set(code, on, text, more) {
      if (on) alarms.raise(code, text, more);
      else alarms.clear(code);
    },
    list: () => [...standing.values()].map(shown),
    acknowledge(code, by) {
      const alarm = standing.get(code);
      if (alarm === undefined) return null;
      if (alarm.acknowledgedAt === null) {
        standing.set(code, { ...alarm, acknowledgedAt: now().toISOString(), acknowledgedBy: by });
        tell();
      }
      return shown(standing.get(code) ?? alarm);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return alarms;
}

function acknowledged(before: Standing | undefined, subject: string): Pick<Alarm, 'acknowledgedAt' | 'acknowledgedBy'> {
  if (before?.subject !== subject) return { acknowledgedAt: null, acknowledgedBy: null };
  return { acknowledgedAt: before.acknowledgedAt, acknowledgedBy: before.acknowledgedBy };
}

function shown({ code, text, values, phrases, since, acknowledgedAt, acknowledgedBy }: Standing): Alarm {
  return { code, text, values, ...(phrases && { phrases }), since, acknowledgedAt, acknowledgedBy };
}

function inWords(phrases: Record<string, Phrase[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(phrases).map(([name, list]) => [name, inEnglish(...list)]));
}
