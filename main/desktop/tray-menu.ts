import { clip } from '#common/clip.ts';
import type { TrayState } from './tray-state.ts';
import { alarmText } from '#common/alarms/alarm-text.ts';
import type { Words } from './words.ts';

/** The menu of the tray or, without a tray, of the window: as data, before Electron creates a menu from it. */
export type MenuAct = 'open' | 'logs' | 'diagnostics' | 'autostart' | 'kiosk' | 'quit';

export type MenuEntry =
  | { kind: 'act'; act: MenuAct; label: string; enabled: boolean }
  | { kind: 'check'; act: MenuAct; label: string; enabled: boolean; checked: boolean }
  | { kind: 'text'; label: string }
  | { kind: 'line' };

export interface MenuFacts {
  kiosk: boolean;
  /** Null: this program cannot be started with the PC (a checkout). */
  autostart: boolean | null;
}

const ALARMS_SHOWN_MAX = 5;
const LABEL_CHARS_MAX = 90;

/** In the full screen of a panel, nothing here bypasses the log-in of an Administrator. */
export function trayMenu(state: TrayState, { kiosk, autostart }: MenuFacts, words: Words): MenuEntry[] {
  const enabled = !kiosk;
  const act = (name: MenuAct, label: string): MenuEntry => ({ kind: 'act', act: name, label, enabled });
  const check = (name: MenuAct, label: string, checked: boolean): MenuEntry => ({
    kind: 'check',
    act: name,
    label,
    enabled,
    checked,
  });
  return [
    { kind: 'act', act: 'open', label: words.open, enabled: true },
    { kind: 'line' },
    { kind: 'text', label: state.line },
    ...alarmEntries(state, words),
    { kind: 'line' },
    act('logs', words.logs),
    act('diagnostics', words.diagnostics),
    { kind: 'line' },
    ...(autostart === null ? [] : [check('autostart', words.autostart, autostart)]),
    check('kiosk', words.kiosk, kiosk),
    ...(kiosk ? [{ kind: 'text', label: words.kioskOn } satisfies MenuEntry] : []),
    { kind: 'line' },
    act('quit', words.quit),
  ];
}

function alarmEntries({ alarms }: TrayState, words: Words): MenuEntry[] {
  if (alarms.length === 0) return [];
  const shown = alarms.slice(0, ALARMS_SHOWN_MAX);
  const more = alarms.length - shown.length;
  return [
    { kind: 'text', label: words.alarms(alarms.length) },
    ...shown.map((alarm): MenuEntry => {
      return { kind: 'act', act: 'open', label: menuLabel(alarmText(alarm, words)), enabled: true };
    }),
    ...(more > 0 ? [{ kind: 'text', label: words.moreAlarms(more) } satisfies MenuEntry] : []),
  ];
}

/** For external texts: an ampersand would underline the letter after it. */
function menuLabel(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ');
  return clip(flat, LABEL_CHARS_MAX).replaceAll('&', '&&');
}
