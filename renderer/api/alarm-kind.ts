import type { Alarm } from '#common/model/records.ts';

/** How much an alarm presses: act now, act this shift, know. A code that is not known here presses most. */
export type AlarmKind = 'alarm' | 'warning' | 'advisory';

const KINDS: Record<string, AlarmKind> = {
  secret_unprotected: 'advisory',
  generation_behind: 'advisory',
  keys_readable: 'advisory',
  journal_unproven: 'warning',
  journal_head_unusable: 'warning',
  certificate_ending: 'warning',
  gateway_restarted: 'warning',
  pipeline_blocked: 'warning',
  disk_low: 'warning',
  metrics_unavailable: 'warning',
  egress_paused: 'alarm',
  egress_unavailable: 'alarm',
  egress_backlog: 'warning',
  egress_dead: 'warning',
  egress_sends_held: 'warning',
  egress_share_full: 'alarm',
  egress_calls_refused: 'warning',
  caller_silent: 'warning',
  caller_refused: 'warning',
  share_used_up: 'warning',
  plugin_trusted: 'advisory',
  plugin_not_loaded: 'warning',
};

export function alarmKind(alarm: Alarm): AlarmKind {
  return KINDS[alarm.code] ?? 'alarm';
}

/** The page of the remedy for an alarm, by its name in the texts, or null. */
export function alarmPlace({ code }: Alarm): { href: string; page: AlarmPage } | null {
  if (code.startsWith('egress_')) return { href: STORE_FORWARD, page: 'storeForward' };
  if (code.startsWith('plugin_')) return { href: '/settings/plugins', page: 'plugins' };
  if (
    code === 'keys_readable' ||
    code === 'journal_head_unusable' ||
    code === 'metrics_unavailable' ||
    code.startsWith('certificate_')
  )
    return { href: '/settings/gateway', page: 'gateway' };
  if (['journal_tampered', 'journal_unproven', 'journal_rolled_back'].includes(code))
    return { href: '/journal', page: 'journal' };
  if (code === 'caller_refused' || code === 'share_used_up') return { href: '/journal?show=refusal', page: 'journal' };
  return null;
}

export const STORE_FORWARD = '/store-forward';
export type AlarmPage = 'storeForward' | 'plugins' | 'gateway' | 'journal';

const ORDER: AlarmKind[] = ['alarm', 'warning', 'advisory'];

/** The most pressing first, then the newest. */
export function sortedAlarms(alarms: readonly Alarm[]): Alarm[] {
  return alarms.toSorted(
    (a, b) => ORDER.indexOf(alarmKind(a)) - ORDER.indexOf(alarmKind(b)) || b.since.localeCompare(a.since),
  );
}
