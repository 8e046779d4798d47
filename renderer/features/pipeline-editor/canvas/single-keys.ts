/** Whether single letters act on the canvas: a choice of this browser, for those whose speech input types letters. */
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
    // Without storage they stay on.
  }
}
