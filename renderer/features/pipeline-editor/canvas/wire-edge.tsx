import { EdgeLabelRenderer, EdgeToolbar, type Edge, type EdgeProps } from '@xyflow/react';
import { memo, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '#ui/icon.tsx';
import { wireId, type DraftWire, type Point } from '../model/draft.ts';
import { ERROR_PORT } from '../model/ports.ts';
import { labelSpot, roundedPath } from '../model/wire-path.ts';
import { useCanvas, useCanvasStore } from './canvas-context.ts';
import type { CanvasState } from './canvas-store.ts';
import { editable, useEditorActions, type EditorActions } from './editor-actions.ts';
import { removeWire, wireText } from './edit-acts.ts';
import { rateText } from './figures.ts';
import { followPointer } from './pointer-wiring.ts';

export interface WireData extends Record<string, unknown> {
  wire: DraftWire;
  points: Point[];
  /** The node's only out port: its rate is shown on the wire, not in the node. */
  alone: boolean;
}
export type WireEdgeType = Edge<WireData, 'wire'>;

/** Below this share of the input, a wire is thin. */
const THIN = 0.01;
/** The length of a horizontal segment that a label needs, px. */
const LABEL_ROOM = 56;

/** A wire: horizontal and vertical segments with round corners, with its rate in a gap. */
export const WireEdge = memo(function WireEdge({ id, data, selected }: EdgeProps<WireEdgeType>) {
  const canvas = useCanvasStore();
  const desk = useEditorActions();
  const hot = useCanvas((state) => state.hotWire === id);
  const far = useCanvas((state) => state.far);
  const way = useCanvas((state) => wayOf(state, id));
  const thin = useCanvas(({ traffic }) => data !== undefined && isThin(traffic, data.wire));
  if (data === undefined) return null;
  const { wire, points } = data;
  const path = roundedPath(points);
  const chosen = hot || selected === true;
  const classes = ['flow-wire', wire.port === ERROR_PORT && 'error', thin && 'thin', chosen && 'hot', way];
  return (
    <>
      <path className={classes.filter(Boolean).join(' ')} d={path} />
      <path
        className="flow-wire-hit nopan nodrag"
        d={path}
        onPointerEnter={() => canvas.set({ hotWire: id })}
        onPointerLeave={(event) => leave(desk, id, event)}
        onPointerDown={(event) => pressWire(desk, event, data)}
      />
      {!far && <WireLabel id={id} data={data} />}
      {chosen && editable(desk) && <RemoveWire desk={desk} data={data} />}
    </>
  );
});

function wayOf({ wiring, run }: CanvasState, id: string): string {
  if (wiring !== null) return wiring.moves !== null && wireId(wiring.moves) === id ? 'moved' : 'faded';
  if (run === null) return '';
  return run.wires.has(id) ? 'ran' : 'faded';
}

function isThin({ byNode, ingress }: CanvasState['traffic'], { from, port }: DraftWire): boolean {
  const rate = byNode.get(from)?.ports[port];
  return rate !== undefined && ingress > 0 && rate < ingress * THIN;
}

/** The × is on the wire; moving to it does not leave the wire. */
function leave({ canvas }: EditorActions, id: string, { relatedTarget }: PointerEvent): void {
  if (relatedTarget instanceof Element && relatedTarget.closest('.flow-unwire') !== null) return;
  if (canvas.snapshot().hotWire === id) canvas.set({ hotWire: null });
}

/** A press selects the wire; a drag moves the nearer end. */
function pressWire(desk: EditorActions, event: PointerEvent, { wire, points }: WireData): void {
  const choose = () => desk.store.selectWire(wireId(wire));
  if (!editable(desk)) return choose();
  const at = desk.flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
  const away = (point: Point | undefined) =>
    point === undefined ? Infinity : Math.hypot(point.x - at.x, point.y - at.y);
  const open =
    away(points.at(-1)) <= away(points[0])
      ? ({ end: 'from', node: wire.from, port: wire.port, moves: wire } as const)
      : ({ end: 'to', node: wire.to, port: '', moves: wire } as const);
  followPointer(desk, event, open, choose);
}

function WireLabel({ id, data: { wire, points, alone } }: { id: string; data: WireData }) {
  const { t, i18n } = useTranslation();
  const rate = useCanvas(({ traffic }) => traffic.byNode.get(wire.from)?.ports[wire.port]);
  const ran = useCanvas(({ run }) => (run === null ? null : run.wires.has(id)));
  const { at, room } = labelSpot(points);
  if (room < LABEL_ROOM) return null;
  const text =
    ran === null
      ? wire.port === ERROR_PORT
        ? t('editor.errorWire')
        : alone && rate !== undefined
          ? rateText(rate, i18n.language)
          : null
      : ran
        ? '✓'
        : t('editor.notReached');
  if (text === null) return null;
  return (
    <EdgeLabelRenderer>
      <span className="flow-wire-label" style={placeAt(at)}>
        {text}
      </span>
    </EdgeLabelRenderer>
  );
}

/** The same size at any zoom. */
function RemoveWire({ desk, data: { wire, points } }: { desk: EditorActions; data: WireData }) {
  const { t } = useTranslation();
  const { at } = labelSpot(points);
  return (
    <EdgeToolbar edgeId={wireId(wire)} x={at.x} y={at.y} isVisible className="nopan nodrag">
      <button
        type="button"
        className="flow-button flow-unwire"
        aria-label={t('editor.act.unwire', { name: wireText(desk, wire.from, wire.to) })}
        onPointerLeave={() => desk.canvas.set({ hotWire: null })}
        onClick={() => removeWire(desk, wireId(wire))}
      >
        <Icon name="close" />
      </button>
    </EdgeToolbar>
  );
}

function placeAt({ x, y }: Point) {
  return { transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` };
}
