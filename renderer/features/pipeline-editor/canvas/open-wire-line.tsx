import { ViewportPortal } from '@xyflow/react';
import { useEditorContext, useShownDefinition } from '../editor-context.tsx';
import type { Point } from '../model/draft.ts';
import { inPoint, outPoint, placedNodes, type Placed } from '../model/geometry.ts';
import { ERROR_PORT } from '../model/ports.ts';
import { roundedPath } from '../model/wire-path.ts';
import { useCanvas } from './canvas-context.ts';
import type { Wiring } from './canvas-store.ts';

/** The wire that is being drawn: from its port to the pointer, or to the node selected with the keyboard. */
export function OpenWireLine() {
  const wiring = useCanvas((state) => state.wiring);
  const { kinds } = useEditorContext();
  const definition = useShownDefinition();
  if (wiring === null) return null;
  const ends = endsOf(wiring, placedNodes(definition, kinds, null));
  if (ends === null) return null;
  return (
    <ViewportPortal>
      <svg className="flow-open-wire" aria-hidden="true">
        <path d={roundedPath(bent(ends.start, ends.end))} />
      </svg>
    </ViewportPortal>
  );
}

function endsOf(wiring: Wiring, boxes: readonly Placed[]): { start: Point; end: Point } | null {
  const node = boxes.find((box) => box.id === wiring.node);
  const target = boxes.find((box) => box.id === wiring.target);
  if (node === undefined) return null;
  const fits = target !== undefined && wiring.accepts.has(target.id);
  if (wiring.end === 'from') {
    const end = fits ? inPoint(target) : wiring.at;
    return end && { start: outPoint(node, wiring.port), end };
  }
  const port = fits ? wiring.accepts.get(target.id)?.port : undefined;
  const start = fits && port !== undefined && port !== ERROR_PORT ? outPoint(target, port) : wiring.at;
  return start && { start, end: inPoint(node) };
}

function bent(start: Point, end: Point): Point[] {
  const middle = end.x > start.x + 28 ? (start.x + end.x) / 2 : start.x + 14;
  return [start, { x: middle, y: start.y }, { x: middle, y: end.y }, end];
}
