import type { ProcessFigures } from '#common/control/messages.ts';
import { metric, type Sample } from './prometheus.ts';

/** `gateway` null: it does not respond. */
export function processMetrics(host: ProcessFigures, gateway: ProcessFigures | null): string[] {
  const each = (value: (one: ProcessFigures) => number | null): Sample[] =>
    [
      { process: 'host', figures: host },
      ...(gateway === null ? [] : [{ process: 'gateway', figures: gateway }]),
    ].flatMap(({ process, figures }): Sample[] => {
      const found = value(figures);
      return found === null ? [] : [[{ process }, found]];
    });
  const gauge = (name: string, help: string, value: (one: ProcessFigures) => number | null): string[] =>
    metric(`sluice_process_${name}`, 'gauge', help, each(value));
  return [
    ...gauge('start_time_seconds', 'Start time of the process since 1970.', ({ startedAt }) => startedAt),
    ...metric(
      'sluice_process_cpu_seconds_total',
      'counter',
      'User and system CPU time of the process.',
      each(({ cpuSeconds }) => cpuSeconds),
    ),
    ...gauge('resident_memory_bytes', 'Resident memory of the process.', ({ residentBytes }) => residentBytes),
    ...gauge('heap_used_bytes', 'Used heap of the main thread.', ({ heapUsedBytes }) => heapUsedBytes),
    ...gauge('heap_limit_bytes', 'Largest heap of the main thread.', ({ heapLimitBytes }) => heapLimitBytes),
    ...gauge(
      'event_loop_delay_mean_seconds',
      'Mean delay of the event loop of the main thread over the last 10 seconds or more.',
      ({ eventLoopDelay }) => eventLoopDelay?.mean ?? null,
    ),
    ...gauge(
      'event_loop_delay_p99_seconds',
      'Delay of the event loop that 99 percent stayed below, over the last 10 seconds or more.',
      ({ eventLoopDelay }) => eventLoopDelay?.p99 ?? null,
    ),
    ...gauge(
      'event_loop_delay_max_seconds',
      'Longest delay of the event loop over the last 10 seconds or more.',
      ({ eventLoopDelay }) => eventLoopDelay?.max ?? null,
    ),
  ];
}
