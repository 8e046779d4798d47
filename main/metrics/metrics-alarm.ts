import type { Alarms } from '../host/alarms.ts';

/** `trouble`: why the address for scrapes is not open; null: no problem. */
export function setMetricsAlarms(alarms: Alarms, trouble: string | null): void {
  const reason = trouble ?? '';
  const text = `The metrics cannot be served on the configured address (${reason}). Sluice tries again by itself.`;
  alarms.set('metrics_unavailable', trouble !== null, text, { values: { reason } });
}
