/**
 * Whether single letters are shortcuts on the canvas: a setting of this browser, for users whose speech input types
 * letters.
 */
const KEY = 'sluice.editor.singleKeys';

export function singleKeysOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // Without storage they stay enabled.
  }
}
