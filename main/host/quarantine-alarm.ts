import type { Alarms } from './alarms.ts';
import type { BlockedPipeline } from './quarantine.ts';

const NAMED_MAX = 5;

export function setQuarantineAlarms(alarms: Alarms, blocked: readonly BlockedPipeline[]): void {
  const stopped = named(blocked.filter((one) => one.stopped));
  const once = named(blocked.filter((one) => !one.stopped));
  alarms.set('pipeline_quarantined', stopped !== '', { values: { names: stopped }, subject: stopped });
  alarms.set('pipeline_blocked', once !== '', { values: { names: once }, subject: once });
}

function named(blocked: readonly BlockedPipeline[]): string {
  const names = blocked.map(({ project, pipeline, node }) => `${pipeline} (${project}), node ${node}`).toSorted();
  const more = names.length > NAMED_MAX ? ` +${names.length - NAMED_MAX}` : '';
  return names.slice(0, NAMED_MAX).join('; ') + more;
}
