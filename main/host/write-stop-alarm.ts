import type { WriteStop } from '#common/model/write-stop.ts';
import type { Alarms } from './alarms.ts';

const NAMED_MAX = 5;

/** An alarm while writes are stopped by a user; it names the reasons. */
export function setWriteStopAlarm(alarms: Alarms, stops: readonly WriteStop[]): void {
  const named = stops.slice(0, NAMED_MAX).map(({ project, device, reason, until }) => {
    const what = device === null ? project : `${project}/${device}`;
    return `${what}: ${reason}${until === null ? '' : ` (${until})`}`;
  });
  const names = named.join('; ') + (stops.length > NAMED_MAX ? '; …' : '');
  alarms.set('writes_stopped', stops.length > 0, {
    values: { count: stops.length, stops: names },
    subject: names,
  });
}
