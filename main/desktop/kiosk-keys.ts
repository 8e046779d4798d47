/** A key press in the form of Electron's `before-input-event`. */
export interface KeyPress {
  type: string;
  key: string;
  code: string;
  control: boolean;
  shift: boolean;
  alt: boolean;
  meta: boolean;
}

export type KeyVerdict = 'pass' | 'block' | 'way-out';

/** By their position on the keyboard: keys that close, print, save, open or leave. */
const BLOCKED_WITH_CONTROL: ReadonlySet<string> = new Set(
  ['W', 'Q', 'N', 'T', 'O', 'S', 'P', 'U', 'J', 'M', 'H'].map((letter) => `Key${letter}`).concat('F4'),
);
const BLOCKED_ALONE: ReadonlySet<string> = new Set(['F11', 'F12', 'ContextMenu']);

/**
 * In the full screen of a panel: Ctrl+Alt+Shift+K leads to the page where an Administrator ends it; shortcuts that
 * would leave the window or show the PC's files are ignored. Typing, copying and navigation work.
 *
 * Known weakness: shortcuts of the operating system (Alt+Tab, the Windows key, Ctrl+Alt+Del) do not reach the window.
 */
export function kioskKey({ type, code, control, shift, alt, meta }: KeyPress): KeyVerdict {
  if (control && alt && shift && code === 'KeyK') return type === 'keyDown' ? 'way-out' : 'block';
  if (BLOCKED_ALONE.has(code)) return 'block';
  if (alt && (code === 'F4' || code === 'Space')) return 'block';
  const command = control || meta;
  if (command && shift && (code === 'KeyI' || code === 'KeyC')) return 'block';
  // AltGr is Control and Alt together, and types characters.
  return command && (!alt || meta) && BLOCKED_WITH_CONTROL.has(code) ? 'block' : 'pass';
}
