import { about, editable, meant, shown, nodesText, type EditorActions } from './editor-actions.ts';
import { removeIds } from './edit-acts.ts';
import { copyText, paste, readClip } from '../model/clipboard.ts';
import type { Point } from '../model/draft.ts';

/** Copy, cut, paste and duplicate, for menus and commands; shortcuts use the browser's own events. */
export async function copy(desk: EditorActions): Promise<boolean> {
  const ids = meant(desk);
  if (ids.size === 0) return false;
  const text = copyText(shown(desk), ids);
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    desk.canvas.refuse(desk.t('common.copyRefused'));
    return false;
  }
  desk.canvas.say(desk.t('editor.said.copied', { name: nodesText(desk, ids) }));
  return true;
}

export async function cut(desk: EditorActions): Promise<void> {
  const ids = meant(desk);
  if (editable(desk) && (await copy(desk))) removeIds(desk, ids, 'cut');
}

/** `at`: on the canvas, or null. */
export async function pasteFromClipboard(desk: EditorActions, at: Point | null): Promise<void> {
  if (!editable(desk)) return;
  const text = await navigator.clipboard.readText().catch(() => null);
  if (text === null) return desk.canvas.refuse(desk.t('editor.refused.clipboard'));
  pasteText(desk, text, at);
}

export function pasteText(desk: EditorActions, text: string, at: Point | null): void {
  if (!editable(desk)) return;
  const clip = readClip(text);
  if (clip === null) return desk.canvas.refuse(desk.t('editor.refused.notNodes'));
  let ids = new Set<string>();
  desk.store.edit({ code: 'paste', about: String(clip.nodes.length) }, (draft) => {
    const pasted = paste(draft, clip, at);
    ids = pasted.ids;
    return pasted.draft;
  });
  arriveAll(desk, ids, 'editor.said.pasted');
}

export function duplicate(desk: EditorActions): void {
  const ids = meant(desk);
  if (!editable(desk) || ids.size === 0) return;
  const clip = readClip(copyText(desk.store.snapshot().draft, ids));
  if (clip === null) return;
  let fresh = new Set<string>();
  desk.store.edit({ code: 'duplicate', about: about(desk.store.snapshot().draft, ids) }, (draft) => {
    const pasted = paste(draft, clip, null);
    fresh = pasted.ids;
    return pasted.draft;
  });
  arriveAll(desk, fresh, 'editor.said.pasted');
}

function arriveAll(desk: EditorActions, ids: ReadonlySet<string>, key: 'editor.said.pasted'): void {
  const [first] = ids;
  if (first === undefined) return;
  desk.store.select(ids);
  desk.canvas.focus(first);
  desk.canvas.say(desk.t(key, { name: desk.t('editor.nodes', { count: ids.size }) }));
}
