import type { EgressBuffer, EgressState, EgressTarget } from '#common/model/egress.ts';
import { metric, type Sample } from './prometheus.ts';

/** Targets that are listed one by one; `sluice_egress_targets` is their total number. */
export const TARGETS_LISTED_MAX = 1_000;

/** Store and forward for `/metrics`: numbers and names of targets, but no contents. `now` in milliseconds. */
export function egressMetrics({ buffer, targets }: EgressState, now: number): string[] {
  const listed = targets.slice(0, TARGETS_LISTED_MAX);
  const perTarget = (name: string, help: string, value: (target: EgressTarget) => number): string[] => {
    const samples = listed.map((target): Sample => [{ target: target.target }, value(target)]);
    return metric(`sluice_egress_${name}`, 'gauge', help, samples);
  };
  return [
    ...bufferMetrics(buffer),
    ...metric('sluice_egress_targets', 'gauge', 'Targets that are known.', [[{}, targets.length]]),
    ...perTarget('queued', 'Events that wait for a target.', ({ queued }) => queued),
    ...perTarget('dead', 'Dead letters that wait for a decision.', ({ dead }) => dead),
    ...perTarget('paused', '1 while a target is paused.', ({ state }) => (state === 'paused' ? 1 : 0)),
    ...perTarget('oldest_seconds', 'Age of the oldest event that waits; 0 = none does.', ({ oldestAt }) =>
      oldestAt === null ? 0 : Math.max(0, (now - Date.parse(oldestAt)) / 1000),
    ),
    ...perTarget('accepted_per_minute', 'Events stored in the last minute.', (target) => target.acceptedPerMinute),
    ...perTarget('delivered_per_minute', 'Events delivered in the last minute.', (target) => target.deliveredPerMinute),
  ];
}

function bufferMetrics(buffer: EgressBuffer): string[] {
  const { bytes, bytesMax, events, eventsMax, diskFreeBytes, trouble } = buffer;
  const single = (name: string, help: string, value: number | null): string[] =>
    value === null ? [] : metric(`sluice_egress_${name}`, 'gauge', help, [[{}, value]]);
  return [
    ...single('storable', '1 while events can be stored.', trouble === null ? 1 : 0),
    ...single('bytes', 'Bytes that stored events take.', bytes),
    ...single('bytes_max', 'Bytes that the buffer takes.', bytesMax),
    ...single('events', 'Stored events, dead letters too.', events),
    ...single('events_max', 'Events that the buffer takes.', eventsMax),
    ...single('buffer_filled_ratio', 'How full the buffer is, 0 to 1.', Math.max(bytes / bytesMax, events / eventsMax)),
    ...single('disk_free_bytes', 'Bytes that are free on the disk of the buffer.', diskFreeBytes),
  ];
}
