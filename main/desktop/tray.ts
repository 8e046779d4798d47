import { Menu, nativeImage, Tray, type MenuItemConstructorOptions, type NativeImage } from 'electron';
import { trayIcon } from './tray-icon.ts';
import type { MenuAct, MenuEntry } from './tray-menu.ts';
import type { TrayMark, TrayState } from './tray-state.ts';

/** The state in the system tray, beside the clock. */
export interface TrayShown {
  show(state: TrayState, entries: readonly MenuEntry[]): void;
  remove(): void;
}

const POINTS = 16;
const SCALES = [1, 2, 3];

export function openTray(perform: (act: MenuAct) => void): TrayShown {
  const pictures = new Map<TrayMark, NativeImage>();
  const picture = (mark: TrayMark): NativeImage => {
    const known = pictures.get(mark) ?? pictureOf(mark);
    pictures.set(mark, known);
    return known;
  };
  // Referenced here, because an unreferenced icon is garbage-collected.
  const tray = new Tray(picture('starting'));
  tray.on('click', () => perform('open'));
  return {
    show(state, entries) {
      tray.setImage(picture(state.mark));
      tray.setToolTip(state.tooltip);
      tray.setContextMenu(menuOf(entries, perform));
    },
    remove: () => tray.destroy(),
  };
}

export function menuOf(entries: readonly MenuEntry[], perform: (act: MenuAct) => void): Menu {
  return Menu.buildFromTemplate(entries.map((entry) => menuItem(entry, perform)));
}

function menuItem(entry: MenuEntry, perform: (act: MenuAct) => void): MenuItemConstructorOptions {
  switch (entry.kind) {
    case 'line':
      return { type: 'separator' };
    case 'text':
      return { label: entry.label, enabled: false };
    case 'act':
      return { label: entry.label, enabled: entry.enabled, click: () => perform(entry.act) };
    case 'check':
      return {
        type: 'checkbox',
        label: entry.label,
        enabled: entry.enabled,
        checked: entry.checked,
        click: () => perform(entry.act),
      };
    default:
      return entry satisfies never;
  }
}

function pictureOf(mark: TrayMark): NativeImage {
  const image = nativeImage.createEmpty();
  for (const scaleFactor of SCALES) {
    const side = POINTS * scaleFactor;
    const dataURL = `data:image/png;base64,${trayIcon(mark, side).toString('base64')}`;
    image.addRepresentation({ scaleFactor, width: side, height: side, dataURL });
  }
  return image;
}
