import { Position } from '@xyflow/react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withoutFresh } from '../form/faults.ts';
import { useEditor, useEditorContext, useShownDefinition } from '../editor-context.tsx';
import { sameValue } from '#ui/form/same-value.ts';
import { wireId, type Point } from '../model/draft.ts';
import { drawnWires, redrawnWires, type DrawnWire } from '../model/drawn-wires.ts';
import { flowOrder } from '../model/flow-order.ts';
import { outY } from '../model/geometry.ts';
import { nodeViews, type NodeView } from '../model/node-view.ts';
import { ERROR_PORT } from '../model/ports.ts';
import { useCanvas } from './canvas-context.ts';
import { useEditorActions } from './editor-actions.ts';
import { KeptItems } from './kept-items.ts';
import type { CardNode } from './node-card.tsx';
import { sentenceOf } from './screen-reader-labels.ts';
import type { WireEdgeType } from './wire-edge.tsx';

/** Nodes and wires for React Flow. Unchanged ones remain the same objects, and are not rendered again. */
export function useFlow(touch: boolean): { nodes: CardNode[]; edges: WireEdgeType[] } {
  const cards = useCards();
  const moving = useCanvas((state) => state.moving);
  const selected = useEditor((state) => state.nodes);
  const { mayEdit } = useEditorContext();
  const showsRunning = useEditor((state) => state.showsRunning);
  const [kept] = useState(() => new KeptItems<CardNode>());
  const nodes = useMemo(() => {
    const next = cards.map(({ view, sentence }): CardNode => {
      const isSelected = selected.has(view.node.id);
      // Touching an unselected node pans the canvas.
      const draggable = mayEdit && !showsRunning && view.change !== 'deleted' && (!touch || isSelected);
      return cardNode(view, sentence, isSelected, draggable, moving?.get(view.node.id));
    });
    return kept.keep(next, ({ id }) => id, sameNode);
  }, [cards, moving, selected, mayEdit, showsRunning, touch, kept]);
  return { nodes, edges: useWires() };
}

interface Card {
  view: NodeView;
  sentence: string;
}

function useCards(): Card[] {
  const { running, check } = useEditorContext();
  const fresh = useEditor((state) => state.fresh);
  const { kinds } = useEditorActions();
  const definition = useShownDefinition();
  const showsRunning = useEditor((state) => state.showsRunning);
  const { t } = useTranslation();
  const [kept] = useState(() => new KeptItems<Card>());
  return useMemo(() => {
    const views = nodeViews({
      draft: definition,
      kinds,
      running: showsRunning ? null : running,
      check: showsRunning ? null : withoutFresh(check, fresh),
      order: flowOrder(definition, kinds),
    });
    const next = views.map((view) => ({ view, sentence: sentenceOf(t, view, definition, kinds) }));
    return kept.keep(next, ({ view }) => `${view.change === 'deleted' ? 'gone ' : ''}${view.node.id}`, sameCard);
  }, [definition, kinds, running, check, fresh, showsRunning, t, kept]);
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
    // The same ID may exist in the draft again with another meaning; a deleted one never conflicts with it.
    id: gone ? `gone ${node.id}` : node.id,
    type: 'card',
    position: at ?? node.position,
    data: { view, sentence },
    width: placed.width,
    height: placed.height,
    // React Flow fits to measured sizes, and measures only visible nodes: the sizes are known here.
    measured: { width: placed.width, height: placed.height },
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

function sameNode(before: CardNode, now: CardNode): boolean {
  return (
    before.data.view === now.data.view &&
    before.data.sentence === now.data.sentence &&
    before.selected === now.selected &&
    before.draggable === now.draggable &&
    before.position.x === now.position.x &&
    before.position.y === now.position.y
  );
}

function useWires(): WireEdgeType[] {
  const { kinds } = useEditorContext();
  const definition = useShownDefinition();
  const moving = useCanvas((state) => state.moving);
  const chosen = useEditor((state) => state.wire);
  const [kept] = useState(() => new KeptItems<WireEdgeType>());
  const still = useMemo(() => drawnWires(definition, kinds), [definition, kinds]);
  const edges = useMemo(
    () => (moving === null ? still : redrawnWires(still, definition, kinds, moving)).map(wireEdge),
    [still, definition, kinds, moving],
  );
  return useMemo(() => {
    const next = edges.map((edge) => ({ ...edge, selected: edge.id === chosen }));
    return kept.keep(next, ({ id }) => id, sameEdge);
  }, [edges, chosen, kept]);
}

function sameEdge(before: WireEdgeType, now: WireEdgeType): boolean {
  return (
    before.selected === now.selected &&
    before.data?.alone === now.data?.alone &&
    samePoints(before.data?.points ?? [], now.data?.points ?? [])
  );
}

function samePoints(before: readonly Point[], now: readonly Point[]): boolean {
  if (before === now) return true;
  return before.length === now.length && before.every(({ x, y }, index) => x === now[index]?.x && y === now[index]?.y);
}

function wireEdge({ wire, source, points }: DrawnWire): WireEdgeType {
  return {
    id: wireId(wire),
    type: 'wire',
    source: wire.from,
    target: wire.to,
    sourceHandle: wire.port,
    targetHandle: 'in',
    data: { wire, points, alone: source.outs.length < 2 },
    domAttributes: { 'aria-hidden': true },
    focusable: false,
  };
}
