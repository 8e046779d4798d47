import type { Alarms } from '../host/alarms.ts';

/** `trouble`: why the address for scrapes is not open; null: no problem. */
export function setMetricsAlarms(alarms: Alarms, trouble: string | null): void {
  const reason = trouble ?? '';
  alarms.set('metrics_unavailable', trouble !== null, { values: { reason } });
}
