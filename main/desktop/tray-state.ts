import type { Alarm } from '#common/model/records.ts';
import type { ShellState } from '../host/shell-view.ts';
import type { Words } from './words.ts';

/** The state shown by the icon: each has its own shape, for users who cannot distinguish its colours. */
export type TrayMark = 'running' | 'starting' | 'stopped' | 'alarm';

export interface TrayState {
  mark: TrayMark;
  /** In plain text: the first entry of the menu. */
  line: string;
  tooltip: string;
  /** Unacknowledged alarms. */
  alarms: Alarm[];
}

/** Windows truncates longer texts. */
const TOOLTIP_CHARS_MAX = 127;

/** `state` null: there is no host yet. */
export function trayState(state: ShellState | null, words: Words): TrayState {
  const alarms = state === null ? [] : state.alarms.filter(isUnseen);
  const line = stateLine(state, words);
  const status = alarms.length === 0 ? line : `${line}, ${words.alarms(alarms.length)}`;
  return { mark: markOf(state, alarms.length), line, tooltip: `Sluice: ${status}`.slice(0, TOOLTIP_CHARS_MAX), alarms };
}

const isUnseen = ({ acknowledgedAt, shelvedUntil }: Alarm): boolean => acknowledgedAt === null && shelvedUntil === null;

function markOf(state: ShellState | null, alarms: number): TrayMark {
  if (state === null || state.gateway.state === 'starting') return 'starting';
  if (state.gateway.state !== 'running') return 'stopped';
  return alarms > 0 ? 'alarm' : 'running';
}

function stateLine(state: ShellState | null, words: Words): string {
  if (state === null) return words.starting;
  switch (state.gateway.state) {
    case 'running':
      return words.running(state.routesAnswering);
    case 'starting':
      return words.starting;
    case 'dead':
      return words.restarting;
    case 'draining':
    case 'stopping':
      return words.stopping;
    default:
      return state.gateway.state satisfies never;
  }
}
