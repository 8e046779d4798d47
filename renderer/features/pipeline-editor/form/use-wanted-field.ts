import { useEffect, type RefObject } from 'react';
import { useEditor, useEditorStore } from '../editor-context.tsx';

/** A field may be rendered later: a field for code is loaded first. */
const WAIT_MS_MAX = 3_000;
const CONTROL = 'input, select, textarea, .cm-content, button';

/** The target of a problem: scrolls to the requested field and focuses it. */
export function useWantedField(panel: RefObject<HTMLElement | null>, open: () => void): void {
  const store = useEditorStore();
  const wanted = useEditor((state) => state.wantedField);
  useEffect(() => {
    if (wanted === null) return undefined;
    open();
    const until = performance.now() + WAIT_MS_MAX;
    let frame = 0;
    const attempt = () => {
      const control = panel.current === null ? null : reach(panel.current, wanted.field);
      if (control === null && performance.now() < until) {
        frame = requestAnimationFrame(attempt);
        return;
      }
      control?.scrollIntoView({ block: 'center' });
      control?.focus({ preventScroll: true });
      store.fieldReached();
    };
    frame = requestAnimationFrame(attempt);
    return () => cancelAnimationFrame(frame);
  }, [wanted, panel, open, store]);
}

/** Null: not rendered yet. Expands collapsed parents. */
function reach(panel: HTMLElement, field: string): HTMLElement | null {
  const path = field.startsWith('settings.') ? field.slice('settings.'.length) : field;
  const [top = ''] = path.split('.');
  const hidden = panel.querySelector(`[data-holds~="${CSS.escape(top)}"] > button[aria-expanded="false"]`);
  if (hidden instanceof HTMLElement) {
    hidden.click();
    return null;
  }
  const place = placeOf(panel, path);
  if (place === null || (place.querySelector('.code-editor') !== null && place.querySelector('.cm-content') === null))
    return null;
  const inCode = place.querySelector<HTMLElement>('.cm-content');
  return inCode ?? place.querySelector<HTMLElement>(CONTROL);
}

/** The field, else its container. */
function placeOf(panel: HTMLElement, path: string): HTMLElement | null {
  const names = path.split('.');
  const own = panel.querySelector<HTMLElement>(`[data-field="${CSS.escape(`node.${path}`)}"]`);
  if (own !== null) return own;
  for (let count = names.length; count > 0; count--) {
    const found = panel.querySelector<HTMLElement>(`[data-field="${CSS.escape(names.slice(0, count).join('.'))}"]`);
    if (found !== null) return found;
  }
  return null;
}
