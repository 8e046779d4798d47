import { clip } from '#common/clip.ts';
import type { Alarm } from '#common/model/records.ts';
import { alarmText } from '#common/alarms/alarm-text.ts';
import type { Words } from './words.ts';

/** A notification of the system. */
export interface News {
  title: string;
  body: string;
}

/** From this number on, they are reported together. */
const SINGLE_MAX = 2;
const BODY_CHARS_MAX = 240;
/** A repeatedly raised alarm is reported once in this time. */
export const QUIET_MS = 5 * 60_000;

type Seen = Pick<Alarm, 'since' | 'acknowledgedAt'>;

/**
 * Decides which alarms cause a notification: new ones that are not acknowledged, each once. Alarms in the first list
 * are not new: the tray and the UI show them. One entry is kept per code, and there are few codes.
 */
export function createAlarmNews(words: Words): (alarms: readonly Alarm[], nowMs: number) => News[] {
  let before: ReadonlyMap<string, Seen> | null = null;
  const notifiedAtMs = new Map<string, number>();
  return (alarms, nowMs) => {
    const known = before;
    before = new Map(alarms.map(({ code, since, acknowledgedAt }) => [code, { since, acknowledgedAt }]));
    if (known === null) return [];
    const fresh = alarms.filter(
      (alarm) => isNews(alarm, known.get(alarm.code)) && isQuiet(notifiedAtMs, alarm.code, nowMs),
    );
    for (const { code } of fresh) notifiedAtMs.set(code, nowMs);
    return newsOf(fresh, words);
  };
}

/** An alarm without its earlier acknowledgement has another subject now. */
function isNews(alarm: Alarm, before: Seen | undefined): boolean {
  if (alarm.acknowledgedAt !== null || alarm.shelvedUntil !== null) return false;
  return before === undefined || before.since !== alarm.since || before.acknowledgedAt !== null;
}

function isQuiet(notifiedAtMs: ReadonlyMap<string, number>, code: string, nowMs: number): boolean {
  const lastMs = notifiedAtMs.get(code);
  return lastMs === undefined || nowMs - lastMs >= QUIET_MS;
}

function newsOf(alarms: readonly Alarm[], words: Words): News[] {
  const texts = alarms.map((alarm) => alarmText(alarm, words));
  if (alarms.length <= SINGLE_MAX)
    return texts.map((text) => ({ title: words.alarmTitle, body: clip(text, BODY_CHARS_MAX) }));
  return [{ title: words.alarmsTitle(alarms.length), body: clip(texts.join(' · '), BODY_CHARS_MAX) }];
}
