import type { Alarm } from '#common/model/records.ts';

/** How much an alarm presses: act now, act this shift, know. A code that is not known here presses most. */
export type AlarmKind = 'alarm' | 'warning' | 'advisory';

const KINDS: Record<string, AlarmKind> = {
  secret_unprotected: 'advisory',
  generation_behind: 'advisory',
  keys_readable: 'advisory',
  gateway_restarted: 'warning',
};

export function alarmKind(alarm: Alarm): AlarmKind {
  return KINDS[alarm.code] ?? 'alarm';
}

const ORDER: AlarmKind[] = ['alarm', 'warning', 'advisory'];

/** The most pressing first, then the newest. */
export function sortedAlarms(alarms: readonly Alarm[]): Alarm[] {
  return alarms.toSorted(
    (a, b) => ORDER.indexOf(alarmKind(a)) - ORDER.indexOf(alarmKind(b)) || b.since.localeCompare(a.since),
  );
}
