import type { Alarm } from '#common/model/records.ts';
import type { ShellState } from '../host/shell-view.ts';

/** A host's report to its shell, for tests. */
export function stateWith(
  part: Partial<Omit<ShellState, 'gateway'>> & { gateway?: Partial<ShellState['gateway']> } = {},
): ShellState {
  const { gateway, ...rest } = part;
  return {
    version: '1.2.3',
    startedAt: '2026-03-01T06:00:00.000Z',
    gateway: { state: 'running', since: '2026-03-01T06:00:00.000Z', restarts: 0, port: 8090, ...gateway },
    routesStarted: 3,
    routesAnswering: 3,
    alarms: [],
    ...rest,
  };
}

export function alarmOf(code: string, part: Partial<Alarm> = {}): Alarm {
  const since = '2026-03-01T07:00:00.000Z';
  const unseen = { acknowledgedAt: null, acknowledgedBy: null, shelvedUntil: null, shelvedBy: null, note: null };
  return { code, severity: 'alarm', text: `${code} is on.`, values: {}, since, ...unseen, ...part };
}
