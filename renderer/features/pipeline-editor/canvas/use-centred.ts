import type { Viewport } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { useEditor } from '../editor-context.tsx';
import { useCanvas } from './canvas-context.ts';
import type { EditorActions } from './editor-actions.ts';
import { bringIntoView, centre, motion, narrowedView } from './view-acts.ts';

/** Centres a node that the user goes to (a problem, a search), and focuses it unless its form gets the focus. */
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

/** A node that will get the focus is made visible first: React Flow does not render invisible ones. */
export function useFocusInView(desk: EditorActions): void {
  const wanted = useCanvas((state) => state.wantsFocus);
  useEffect(() => {
    if (wanted !== null) bringIntoView(desk, wanted);
  }, [wanted, desk]);
}

/** The settings open beside the canvas: they must cover neither its columns nor the selected node. */
export function useChosenInView(desk: EditorActions): void {
  useEffect(() => {
    const area = document.querySelector('.editor-canvas');
    if (area === null) return undefined;
    let width = area.clientWidth;
    let narrowed: { before: Viewport; after: Viewport } | null = null;
    const watch = new ResizeObserver(() => {
      const before = width;
      width = area.clientWidth;
      if (width > before && narrowed !== null) {
        // Its previous position, unless the user has moved the view since.
        if (sameView(desk.flow.getViewport(), narrowed.after)) void desk.flow.setViewport(narrowed.before, motion());
        narrowed = null;
      }
      const { moving, popup } = desk.canvas.snapshot();
      // A node that is dragged, or whose menu is open, stays in place.
      if (width >= before || moving !== null || popup !== null) return;
      const after = narrowedView(desk, before);
      if (after === null) return keepChosen(desk);
      narrowed = { before: desk.flow.getViewport(), after };
      void desk.flow.setViewport(after, motion());
    });
    watch.observe(area);
    return () => watch.disconnect();
  }, [desk]);
}

function sameView(a: Viewport, b: Viewport): boolean {
  return Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1 && Math.abs(a.zoom - b.zoom) < 0.01;
}

function keepChosen(desk: EditorActions): void {
  const [node, ...others] = desk.store.snapshot().nodes;
  if (node === undefined || others.length > 0) return;
  // Out of view it was no longer rendered, and lost its focus.
  if (isFocusOn(node)) desk.canvas.focus(node);
  bringIntoView(desk, node);
}

/** On the node, or on nothing. */
function isFocusOn(node: string): boolean {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  return activeElement instanceof HTMLElement && activeElement.dataset['node'] === node;
}
