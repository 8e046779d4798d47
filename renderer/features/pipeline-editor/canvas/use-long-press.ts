import { useCallback, type PointerEvent } from 'react';
import { nodeMenuAt } from './key-acts.ts';
import type { EditorActions } from './editor-actions.ts';

const PRESS_MS = 500;
/** A finger is never completely still. */
const SLACK = 8;

/** A long press on a node opens its menu with all keyboard actions. */
export function useLongPress(desk: EditorActions): (event: PointerEvent) => void {
  return useCallback(
    (event) => {
      const node = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-node]') : null;
      const id = node?.dataset['node'];
      if (event.pointerType !== 'touch' || id === undefined || isPort(event)) return;
      const at = { x: event.clientX, y: event.clientY };
      const ended = new AbortController();
      const timer = setTimeout(() => {
        ended.abort();
        nodeMenuAt(desk, id, at);
      }, PRESS_MS);
      const end = () => {
        clearTimeout(timer);
        ended.abort();
      };
      const move = ({ clientX, clientY }: globalThis.PointerEvent) =>
        Math.hypot(clientX - at.x, clientY - at.y) > SLACK && end();
      document.addEventListener('pointermove', move, { signal: ended.signal });
      document.addEventListener('pointerup', end, { signal: ended.signal });
      document.addEventListener('pointercancel', end, { signal: ended.signal });
    },
    [desk],
  );
}

function isPort({ target }: PointerEvent): boolean {
  return target instanceof Element && target.closest('[data-port]') !== null;
}
