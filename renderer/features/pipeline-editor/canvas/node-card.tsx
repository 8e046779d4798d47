import type { Node, NodeProps } from '@xyflow/react';
import { memo, useEffect, useRef } from 'react';
import type { NodeView } from '../model/node-view.ts';
import { useCanvas, useCanvasStore } from './canvas-context.ts';
import type { CanvasState } from './canvas-store.ts';
import { Bypass, CardBody, CardHead, NodeBadge } from './card-parts.tsx';
import { MoreButton } from './more-button.tsx';
import { NodePorts, PortAnchors } from './node-ports.tsx';

export interface CardData extends Record<string, unknown> {
  view: NodeView;
  /** The text for screen readers. */
  sentence: string;
}
export type CardNode = Node<CardData, 'card'>;

/** A node, 216 × 96 (editor.md, Node). */
export const NodeCard = memo(function NodeCard({ id, data, selected }: NodeProps<CardNode>) {
  const { view, sentence } = data;
  const { node, change } = view;
  const canvas = useCanvasStore();
  const element = useTakenFocus(id);
  const far = useCanvas((state) => state.far);
  const role = useCanvas((state) => roleOf(state, id));
  const alarm = useCanvas((state) => state.targets.get(id)?.alarm ?? null);
  const state = alarm === 'alarm' ? 'alarm' : (view.worst ?? alarm);
  const classes = ['flow-card', role, state && `is-${state}`, node.off && 'off', change, selected && 'selected'];
  const gone = change === 'deleted';
  // A deleted node is only displayed: it has no actions.
  const spoken = gone ? {} : { role: 'button', tabIndex: -1, 'aria-label': sentence, 'aria-pressed': selected };
  return (
    <>
      <div
        ref={element}
        className={classes.filter(Boolean).join(' ')}
        data-node={gone ? undefined : id}
        onFocus={() => canvas.set({ current: id })}
        {...spoken}
      >
        {node.off && <Bypass view={view} />}
        <CardHead view={view} far={far} />
        {!far && <CardBody view={view} />}
        <NodeBadge view={view} alarm={alarm} />
        {!gone && (far ? <PortAnchors view={view} /> : <NodePorts view={view} />)}
      </div>
      {selected && <MoreButton id={id} name={node.name ?? node.id} />}
    </>
  );
});

/** Takes the focus when the store requests it. */
function useTakenFocus(id: string) {
  const canvas = useCanvasStore();
  const element = useRef<HTMLDivElement>(null);
  const wanted = useCanvas((state) => state.wantsFocus === id);
  useEffect(() => {
    if (!wanted) return;
    element.current?.focus({ preventScroll: true });
    canvas.set({ wantsFocus: null });
  }, [wanted, canvas]);
  return element;
}

/** The state of the card for the wire that is being drawn, or in the displayed run. */
function roleOf({ wiring, run }: CanvasState, id: string): string {
  if (wiring !== null) {
    if (wiring.node === id) return 'source';
    if (!wiring.accepts.has(id)) return 'faded';
    return wiring.target === id ? 'lit aimed' : 'lit';
  }
  if (run === null) return '';
  if (run.failed === id) return 'ran failed';
  return run.nodes.has(id) ? 'ran' : 'faded';
}
