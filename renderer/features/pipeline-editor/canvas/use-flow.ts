import { Position } from '@xyflow/react';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor, useEditorContext, useShownDefinition } from '../editor-context.tsx';
import { sameValue } from '../model/difference.ts';
import { wireId, type Draft, type Point } from '../model/draft.ts';
import { drawnWires } from '../model/drawn-wires.ts';
import { flowOrder } from '../model/flow-order.ts';
import { outY } from '../model/geometry.ts';
import { nodeViews, type NodeView } from '../model/node-view.ts';
import { ERROR_PORT, type Kinds } from '../model/ports.ts';
import { useCanvas } from './canvas-context.tsx';
import type { CardNode } from './node-card.tsx';
import { sentenceOf } from './spoken.ts';
import type { WireEdgeType } from './wire-edge.tsx';

/** Nodes and wires as React Flow takes them. What did not change stays the same object, and is not drawn again. */
export function useFlow(touch: boolean): { nodes: CardNode[]; edges: WireEdgeType[] } {
  const cards = useCards();
  const moving = useCanvas((state) => state.moving);
  const selected = useEditor((state) => state.nodes);
  const { mayEdit } = useEditorContext();
  const showsRunning = useEditor((state) => state.showsRunning);
  const kept = useRef(new Map<string, CardNode>());
  const nodes = useMemo(() => {
    const before = kept.current;
    const next = cards.map(({ view, sentence }): CardNode => {
      const isSelected = selected.has(view.node.id);
      // Under a finger, a node that is not chosen lets the canvas pan.
      const draggable = mayEdit && !showsRunning && view.change !== 'deleted' && (!touch || isSelected);
      return sameNode(before, cardNode(view, sentence, isSelected, draggable, moving?.get(view.node.id)));
    });
    kept.current = new Map(next.map((node) => [node.id, node]));
    return next;
  }, [cards, moving, selected, mayEdit, showsRunning, touch]);
  return { nodes, edges: useWires() };
}

interface Card {
  view: NodeView;
  sentence: string;
}

function useCards(): Card[] {
  const { kinds, running, check } = useEditorContext();
  const definition = useShownDefinition();
  const showsRunning = useEditor((state) => state.showsRunning);
  const { t } = useTranslation();
  const kept = useRef(new Map<string, Card>());
  return useMemo(() => {
    const views = nodeViews({
      draft: definition,
      kinds,
      running: showsRunning ? null : running,
      check: showsRunning ? null : check,
      order: flowOrder(definition, kinds),
    });
    const next = views.map((view) => {
      const before = kept.current.get(view.node.id);
      const card = { view, sentence: sentenceOf(t, view, definition, kinds) };
      return before !== undefined && sameCard(before, card) ? before : card;
    });
    kept.current = new Map(next.map((card) => [card.view.node.id, card]));
    return next;
  }, [definition, kinds, running, check, showsRunning, t]);
}

function sameCard(a: Card, b: Card): boolean {
  const { node: nodeA, ...restA } = a.view;
  const { node: nodeB, ...restB } = b.view;
  return a.sentence === b.sentence && nodeA === nodeB && sameValue(restA, restB);
}

function cardNode(
  view: NodeView,
  sentence: string,
  selected: boolean,
  draggable: boolean,
  at: Point | undefined,
): CardNode {
  const { node, placed, change } = view;
  const gone = change === 'deleted';
  return {
    // The same id may have come back in the draft with another meaning; one that is gone never clashes with it.
    id: gone ? `gone ${node.id}` : node.id,
    type: 'card',
    position: at ?? node.position,
    data: { view, sentence },
    width: placed.width,
    height: placed.height,
    handles: handlesOf(view),
    selected: selected && !gone,
    selectable: !gone,
    draggable,
    ariaRole: gone ? 'presentation' : 'listitem',
  };
}

function handlesOf({ placed }: NodeView): NonNullable<CardNode['handles']> {
  const { outs, input, error, height, width } = placed;
  return [
    ...(input ? [{ id: 'in', type: 'target' as const, position: Position.Left, x: 0, y: 48 }] : []),
    ...outs.map((port, index) => ({
      id: port,
      type: 'source' as const,
      position: Position.Right,
      x: width,
      y: outY(index, outs.length),
    })),
    ...(error ? [{ id: ERROR_PORT, type: 'source' as const, position: Position.Bottom, x: width / 2, y: height }] : []),
  ];
}

function sameNode(before: ReadonlyMap<string, CardNode>, node: CardNode): CardNode {
  const old = before.get(node.id);
  const same =
    old !== undefined &&
    old.data.view === node.data.view &&
    old.data.sentence === node.data.sentence &&
    old.selected === node.selected &&
    old.draggable === node.draggable &&
    old.position.x === node.position.x &&
    old.position.y === node.position.y;
  return same ? old : node;
}

function useWires(): WireEdgeType[] {
  const { kinds } = useEditorContext();
  const definition = useShownDefinition();
  const moving = useCanvas((state) => state.moving);
  const chosen = useEditor((state) => state.wire);
  const kept = useRef(new Map<string, WireEdgeType>());
  const edges = useMemo(() => wireEdges(definition, kinds, moving), [definition, kinds, moving]);
  return useMemo(() => {
    const next = edges.map((edge) => {
      const old = kept.current.get(edge.id);
      const selected = edge.id === chosen;
      const same = old !== undefined && (old.selected ?? false) === selected && sameValue(old.data, edge.data);
      return same ? old : { ...edge, selected };
    });
    kept.current = new Map(next.map((edge) => [edge.id, edge]));
    return next;
  }, [edges, chosen]);
}

function wireEdges(draft: Draft, kinds: Kinds, moving: ReadonlyMap<string, Point> | null): WireEdgeType[] {
  return drawnWires(draft, kinds, moving).map(({ wire, source, points }) => ({
    id: wireId(wire),
    type: 'wire',
    source: wire.from,
    target: wire.to,
    sourceHandle: wire.port,
    targetHandle: 'in',
    data: { wire, points, alone: source.outs.length < 2 },
    domAttributes: { 'aria-hidden': true },
    focusable: false,
  }));
}
