import type { Alarm } from '#common/model/records.ts';

/** How much an alarm presses: act now, act this shift, know. A code that is not known here presses most. */
export type AlarmKind = 'alarm' | 'warning' | 'advisory';

const KINDS: Record<string, AlarmKind> = {
  secret_unprotected: 'advisory',
  generation_behind: 'advisory',
  keys_readable: 'advisory',
  gateway_restarted: 'warning',
  egress_paused: 'alarm',
  egress_unavailable: 'alarm',
  egress_backlog: 'warning',
  egress_dead: 'warning',
};

export function alarmKind(alarm: Alarm): AlarmKind {
  return KINDS[alarm.code] ?? 'alarm';
}

/** Where an alarm is mended: a page of the window, or null. */
export function alarmPlace(alarm: Alarm): string | null {
  return alarm.code.startsWith('egress_') ? STORE_FORWARD : null;
}

export const STORE_FORWARD = '/store-forward';

const ORDER: AlarmKind[] = ['alarm', 'warning', 'advisory'];

/** The most pressing first, then the newest. */
export function sortedAlarms(alarms: readonly Alarm[]): Alarm[] {
  return alarms.toSorted(
    (a, b) => ORDER.indexOf(alarmKind(a)) - ORDER.indexOf(alarmKind(b)) || b.since.localeCompare(a.since),
  );
}
