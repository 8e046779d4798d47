import {
  MiniMap,
  ReactFlow,
  useStore,
  ViewportPortal,
  type NodeChange,
  type OnMoveEnd,
  type ReactFlowProps,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditorContext } from '../editor-context.tsx';
import { GRID } from '../model/draft.ts';
import { useCanvas } from './canvas-context.ts';
import { CanvasNotes } from './canvas-notes.tsx';
import { useEditorActions, type EditorActions } from './editor-actions.ts';
import { moveTo } from './edit-acts.ts';
import { NodeCard, type CardNode } from './node-card.tsx';
import { OpenWireLine } from './open-wire-line.tsx';
import { readView, writeView } from './kept-view.ts';
import { nodeMenuAt } from './key-acts.ts';
import { useFlow } from './use-flow.ts';
import { useLongPress } from './use-long-press.ts';
import { fitAtOnce } from './view-acts.ts';
import { textScale, ZOOM_FAR, ZOOM_MAX, ZOOM_MIN } from './view-limits.ts';
import { finishAt, finishOnGround } from './wire-acts.ts';
import { WireEdge, type WireEdgeType } from './wire-edge.tsx';
import { placeOnGround } from './placing.ts';

const NODE_TYPES = { card: NodeCard };
const EDGE_TYPES = { wire: WireEdge };
const MINIMAP_FROM = 20;
const NO_KEYS = {
  deleteKeyCode: null,
  selectionKeyCode: 'Shift',
  multiSelectionKeyCode: ['Control', 'Meta'],
  panActivationKeyCode: null,
  zoomActivationKeyCode: null,
  disableKeyboardA11y: true,
} satisfies Partial<ReactFlowProps>;

/**
 * React Flow with Sluice's nodes, wires and design tokens. It pans, zooms, moves and selects; the rest is done here.
 */
export function Graph({ onKeyDown }: { onKeyDown: (event: KeyboardEvent) => void }) {
  const desk = useEditorActions();
  const { record } = useEditorContext();
  const { t } = useTranslation();
  const touch = useTouch();
  const longPress = useLongPress(desk);
  const { nodes, edges } = useFlow(touch.now);
  const place = `${record.project}/${record.id}`;
  const [first] = useState(() => readView(place));
  const list = useNodeList(t('editor.nodeList'));
  const looked = useRef(first !== null);
  const onMoveEnd = useCallback<OnMoveEnd>(
    (_event, view) => {
      // The initial fit is not a user action.
      if (looked.current) writeView(place, view);
      looked.current = true;
    },
    [place],
  );
  const onNodesChange = useCallback((changes: NodeChange<CardNode>[]) => takeChanges(desk, changes), [desk]);
  const drawing = useCanvas((state) => state.wiring !== null || state.placing !== null);
  const far = useFar(desk);
  const scale = useStore((state) => textScale(state.transform[2]));
  return (
    <ReactFlow<CardNode, WireEdgeType>
      ref={list}
      className={['flow', drawing && 'drawing', far && 'far'].filter(Boolean).join(' ')}
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      onKeyDown={onKeyDown}
      onNodesChange={onNodesChange}
      onMoveEnd={onMoveEnd}
      onPointerDownCapture={touch.watch}
      onPointerDown={longPress}
      onNodeClick={(_event, node) => clickNode(desk, node.id)}
      onNodeContextMenu={(event, node) => openMenu(desk, event, node)}
      onPaneClick={(event) => clickGround(desk, event)}
      {...(first === null ? { onInit: () => void fitAtOnce(desk) } : { defaultViewport: first })}
      style={scaleStyle(scale)}
      minZoom={ZOOM_MIN}
      maxZoom={ZOOM_MAX}
      snapToGrid
      snapGrid={[GRID, GRID]}
      onlyRenderVisibleElements
      nodesConnectable={false}
      connectOnClick={false}
      nodesFocusable={false}
      edgesFocusable={false}
      edgesReconnectable={false}
      elevateNodesOnSelect={false}
      zoomOnDoubleClick={false}
      nodeDragThreshold={4}
      proOptions={{ hideAttribution: true }}
      aria-label={t('editor.canvas', { count: desk.store.snapshot().draft.nodes.length })}
      tabIndex={0}
      data-region-start=""
      {...NO_KEYS}
    >
      <ViewportPortal>
        <div className="flow-grid" />
      </ViewportPortal>
      <CanvasNotes />
      <OpenWireLine />
      {nodes.length >= MINIMAP_FROM && (
        <MiniMap pannable zoomable ariaLabel={t('editor.minimap')} nodeBorderRadius={6} />
      )}
    </ReactFlow>
  );
}

/** For canvas.css: texts on nodes and wires grow as the canvas is zoomed out. */
function scaleStyle(scale: number): Record<string, number> {
  return { '--text-scale': scale, '--is-scaled': scale > 1 ? 1 : 0 };
}

function useFar({ canvas }: EditorActions): boolean {
  const far = useStore((state) => state.transform[2] < ZOOM_FAR);
  useEffect(() => canvas.set({ far }), [canvas, far]);
  return far;
}

/** Whether the last press was a touch. */
function useTouch() {
  const [now, setNow] = useState(false);
  const watch = useCallback(({ pointerType }: { pointerType: string }) => setNow(pointerType === 'touch'), []);
  return { now, watch };
}

/** React Flow cannot label the group of its nodes. */
function useNodeList(label: string) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const nodes = root.current?.querySelector('.react-flow__nodes');
    nodes?.setAttribute('role', 'list');
    nodes?.setAttribute('aria-label', label);
  }, [label]);
  return root;
}

function takeChanges(desk: EditorActions, changes: readonly NodeChange<CardNode>[]): void {
  takeMoves(desk, changes);
  const chosen = changes.filter((change) => change.type === 'select');
  if (chosen.length === 0) return;
  const { nodes } = desk.store.snapshot();
  const next = new Set(nodes);
  for (const { id, selected } of chosen) {
    if (selected) next.add(id);
    else next.delete(id);
  }
  if (next.size !== nodes.size || [...next].some((id) => !nodes.has(id))) desk.store.select(next);
}

function takeMoves(desk: EditorActions, changes: readonly NodeChange<CardNode>[]): void {
  const moves = changes.filter((change) => change.type === 'position');
  if (moves.length === 0) return;
  const moving = new Map(desk.canvas.snapshot().moving);
  for (const { id, position } of moves) if (position !== undefined) moving.set(id, position);
  if (moves.some(({ dragging }) => dragging === true)) return desk.canvas.set({ moving });
  moveTo(desk, moving);
  desk.canvas.set({ moving: null });
}

function clickNode(desk: EditorActions, node: string): void {
  if (desk.canvas.snapshot().wiring !== null) return finishAt(desk, node, null);
  desk.canvas.set({ refused: null });
}

function clickGround(desk: EditorActions, { clientX: x, clientY: y }: { clientX: number; clientY: number }): void {
  const { wiring, placing } = desk.canvas.snapshot();
  if (wiring !== null) return finishOnGround(desk, { x, y });
  if (placing !== null) return placeOnGround(desk, placing, { x, y });
  desk.store.select([]);
  desk.canvas.cancel();
}

function openMenu(
  desk: EditorActions,
  event: { preventDefault(): void; clientX: number; clientY: number },
  node: CardNode,
): void {
  event.preventDefault();
  const { node: shownNode, change } = node.data.view;
  if (change !== 'deleted') nodeMenuAt(desk, shownNode.id, { x: event.clientX, y: event.clientY });
}
