/** How urgent an alarm is: immediate action, action during this shift, or for information. */
export type AlarmSeverity = 'alarm' | 'warning' | 'advisory';

/** Codes that are not listed here have the severity `alarm`: they require immediate action. */
const SEVERITIES: Readonly<Record<string, AlarmSeverity>> = {
  secret_unprotected: 'advisory',
  generation_behind: 'advisory',
  keys_readable: 'advisory',
  gateway_outage: 'advisory',
  journal_unproven: 'warning',
  journal_head_unusable: 'warning',
  certificate_ending: 'warning',
  gateway_restarted: 'warning',
  pipeline_blocked: 'warning',
  disk_low: 'warning',
  metrics_unavailable: 'warning',
  egress_backlog: 'warning',
  egress_dead: 'warning',
  egress_sends_held: 'warning',
  egress_calls_refused: 'warning',
  key_exposed: 'warning',
  caller_silent: 'warning',
  caller_refused: 'warning',
  share_used_up: 'warning',
  writes_stopped: 'warning',
  plugin_trusted: 'advisory',
  plugin_not_loaded: 'warning',
};

export function alarmSeverity(code: string): AlarmSeverity {
  return SEVERITIES[code] ?? 'alarm';
}

const HOUR_MS = 3_600_000;

/** Shelving hides an alarm, so one that requires immediate action reappears within a shift. */
export const SHELF_ALARM_HOURS_MAX = 8;
export const SHELF_DAYS_MAX = 90;

/** The longest time for which an alarm of this code can be shelved. */
export function shelfMsMax(code: string): number {
  return (alarmSeverity(code) === 'alarm' ? SHELF_ALARM_HOURS_MAX : SHELF_DAYS_MAX * 24) * HOUR_MS;
}

/** Comment of an acknowledgement or a shelving. */
export const ALARM_NOTE_CHARS_MAX = 300;
