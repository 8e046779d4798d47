import { useEffect, useRef } from 'react';
import { useEditor } from '../editor-context.tsx';
import { useCanvas } from './canvas-context.ts';
import type { EditorActions } from './editor-actions.ts';
import { bringIntoView, centre } from './view-acts.ts';

/** Somebody went to a node (a problem, a search): it comes to the middle, and takes the focus unless its form does. */
export function useCentred(desk: EditorActions): void {
  const turn = useEditor((state) => state.centred);
  const seen = useRef(turn);
  useEffect(() => {
    if (turn === seen.current) return;
    seen.current = turn;
    const { nodes, wantedField } = desk.store.snapshot();
    const [node] = nodes;
    if (node === undefined) return;
    centre(desk, node);
    if (wantedField === null) desk.canvas.focus(node);
  }, [turn, desk]);
}

/** A node that is to take the focus comes into view first: what is not seen is not drawn. */
export function useFocusInView(desk: EditorActions): void {
  const wanted = useCanvas((state) => state.wantsFocus);
  useEffect(() => {
    if (wanted !== null) bringIntoView(desk, wanted);
  }, [wanted, desk]);
}
