import { Menu } from 'electron';
import { menuOf } from './tray.ts';
import type { MenuAct, MenuEntry } from './tray-menu.ts';

/** The window's own menu: always on macOS, elsewhere only without a tray; never in full screen. */
export function setAppMenu(
  entries: readonly MenuEntry[],
  { kiosk, hasTray }: { kiosk: boolean; hasTray: boolean },
  perform: (act: MenuAct) => void,
): void {
  const isMac = process.platform === 'darwin';
  if (kiosk || (hasTray && !isMac)) return Menu.setApplicationMenu(null);
  const own = { label: 'Sluice', submenu: menuOf(entries, perform) };
  const usual = isMac ? [{ role: 'editMenu' } as const, { role: 'windowMenu' } as const] : [];
  Menu.setApplicationMenu(Menu.buildFromTemplate([own, ...usual]));
}
