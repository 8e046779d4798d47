import { Box } from '@mantine/core';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { Point } from '../model/draft.ts';
import { useCanvas, useCanvasStore } from './canvas-context.ts';
import { canvasArea } from './view-acts.ts';

export interface MenuItem {
  label: string;
  /** A key, or text beside it. */
  hint?: string;
  icon?: ReactNode;
  run: () => void;
}

/** A menu at a position on the canvas: Up, Down, Enter; Escape restores the focus. */
export function PopupMenu({ label, items, at }: { label: string; items: readonly MenuItem[]; at: Point }) {
  const list = useRef<HTMLDivElement>(null);
  const leave = useLeavePopup(list);
  useEffect(() => {
    list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  }, []);
  const keys = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      return leave();
    }
    stepWithin(list.current, event);
  };
  return (
    <Box
      ref={list}
      className="flow-popup"
      role="menu"
      aria-label={label}
      style={placeInCanvas(at, items.length * ITEM + 2 * PADDING)}
      onKeyDown={keys}
    >
      {items.map((item) => (
        <button
          type="button"
          role="menuitem"
          tabIndex={-1}
          key={item.label}
          className="flow-item"
          onClick={() => {
            leave();
            item.run();
          }}
        >
          {item.icon}
          <span className="grow">{item.label}</span>
          {item.hint !== undefined && <kbd>{item.hint}</kbd>}
        </button>
      ))}
    </Box>
  );
}

/** Closes the popup; the previously focused node gets the focus again. A press outside closes it too. */
export function useLeavePopup(element: { current: HTMLElement | null }): () => void {
  const canvas = useCanvasStore();
  const current = useCanvas((state) => state.current);
  useEffect(() => {
    const outside = ({ target }: PointerEvent) => {
      if (target instanceof Node && element.current?.contains(target) === false) canvas.set({ popup: null });
    };
    document.addEventListener('pointerdown', outside, true);
    return () => document.removeEventListener('pointerdown', outside, true);
  }, [canvas, element]);
  return () => {
    canvas.set({ popup: null });
    if (current === null) document.querySelector<HTMLElement>('.editor-canvas .react-flow')?.focus();
    else canvas.focus(current);
  };
}

function stepWithin(list: HTMLElement | null, event: KeyboardEvent): void {
  const items = [...(list?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const here = items.findIndex((item) => item === document.activeElement);
  const next = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: items.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  items[(next + items.length) % items.length]?.focus();
}

/** Width of the wider of the two popups. */
const WIDTH = 360;
const ITEM = 44;
const PADDING = 5;
const LIST_HEIGHT = 360;
const MARGIN = 8;

/** Inside the canvas, with room for its `height` if possible. */
export function placeInCanvas(at: Point, height = LIST_HEIGHT): { left: number; top: number; maxHeight: number } {
  const area = canvasArea();
  const [areaWidth, areaHeight] = [area?.width ?? WIDTH, area?.height ?? LIST_HEIGHT];
  const left = Math.max(MARGIN, Math.min(at.x - (area?.left ?? 0), areaWidth - WIDTH - MARGIN));
  const top = Math.max(MARGIN, Math.min(at.y - (area?.top ?? 0), areaHeight - height - MARGIN));
  return { left, top, maxHeight: areaHeight - top - MARGIN };
}
