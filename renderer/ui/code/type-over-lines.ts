import type { EditorState, Extension, TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Typing over several selected lines is a change of the text, made here. Otherwise, Chromium joins the lines in the
 * page and writes `style` attributes to keep their looks, which the page's policy refuses and reports.
 */
export const typeOverLines: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state } = view;
    if (event.inputType !== 'insertText' || event.data === null || event.isComposing) return false;
    const change = typedOver(state, event.data);
    if (change === null) return false;
    const { from, to } = state.selection.main;
    const { data } = event;
    const insert = () => state.update(change);
    // Such as a closing bracket, which encloses the selection.
    const isTaken = state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert));
    if (!isTaken) view.dispatch(insert());
    return true;
  },
});

/** Replaces the selection by `text`; null if no selection spans several lines. */
export function typedOver(state: EditorState, text: string): TransactionSpec | null {
  const { doc, selection, readOnly } = state;
  const isOver = selection.ranges.some(({ from, to }) => doc.lineAt(from).to < to);
  if (readOnly || !isOver) return null;
  return { ...state.replaceSelection(text), userEvent: 'input.type', scrollIntoView: true };
}
