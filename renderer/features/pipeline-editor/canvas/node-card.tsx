import { NodeToolbar, Position, type Node, type NodeProps } from '@xyflow/react';
import { memo, useEffect, useRef, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '#ui/icon.tsx';
import { Shape } from '#ui/shape.tsx';
import { useEditor, useEditorStore } from '../editor-context.tsx';
import type { NodeView } from '../model/node-view.ts';
import { useCanvas, useCanvasStore } from './canvas-context.tsx';
import type { CanvasState } from './canvas-store.ts';
import { kindLine } from './choice-words.ts';
import { Glyph } from './glyph.tsx';
import { NodeFoot } from './node-foot.tsx';
import { NodePorts, PortName } from './node-ports.tsx';
import { NodeSummary } from './node-summary.tsx';

export interface CardData extends Record<string, unknown> {
  view: NodeView;
  /** What a screen reader says of it. */
  sentence: string;
}
export type CardNode = Node<CardData, 'card'>;

/** A node, 216 × 96 (editor.md, Node). */
export const NodeCard = memo(function NodeCard({ id, data, selected }: NodeProps<CardNode>) {
  const { view, sentence } = data;
  const { node, placed, change } = view;
  const { t } = useTranslation();
  const canvas = useCanvasStore();
  const element = useRef<HTMLDivElement>(null);
  const wanted = useCanvas((state) => state.wantsFocus === id);
  const role = useCanvas((state) => roleOf(state, id));
  const alarm = useCanvas((state) => state.targets.get(id)?.alarm ?? null);
  useEffect(() => {
    if (!wanted) return;
    element.current?.focus({ preventScroll: true });
    canvas.set({ wantsFocus: null });
  }, [wanted, canvas]);
  const state = alarm === 'alarm' ? 'alarm' : (view.worst ?? alarm);
  const classes = ['flow-card', role, state && `is-${state}`, node.off && 'off', change, selected && 'selected'];
  return (
    <div
      ref={element}
      className={classes.filter(Boolean).join(' ')}
      role={change === 'deleted' ? undefined : 'button'}
      tabIndex={change === 'deleted' ? undefined : -1}
      aria-label={change === 'deleted' ? undefined : sentence}
      aria-pressed={change === 'deleted' ? undefined : selected}
      data-node={change === 'deleted' ? undefined : id}
      onFocus={() => canvas.set({ current: id })}
    >
      {node.off && <Bypass view={view} />}
      <div className="flow-head">
        <span className="flow-glyph">
          <Glyph kind={node.kind} category={view.category} />
        </span>
        <span className="flow-names">
          <b>{node.name ?? node.id}</b>
          <small>
            {view.title === null ? t('editor.missingKind', { kind: node.kind }) : kindLine(t, view.title, view.mode)}
          </small>
        </span>
        {change !== null && <span className="flow-tag">{t(`editor.change.${change}`)}</span>}
      </div>
      <div className="flow-row">
        <NodeSummary node={node} missing={view.title === null} />
        {placed.outs.length > 1 && <PortName node={id} port={placed.outs[0] ?? ''} />}
      </div>
      {placed.outs.slice(1, -1).map((port) => (
        <div className="flow-row" key={port}>
          <PortName node={id} port={port} />
        </div>
      ))}
      <NodeFoot view={view} />
      <NodeBadge view={view} alarm={alarm} />
      {change !== 'deleted' && <NodePorts view={view} />}
      {selected && <MoreButton id={id} name={node.name ?? node.id} />}
    </div>
  );
});

/** For those without keys: everything that they do. Stands beside the card, as large at any zoom. */
function MoreButton({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation();
  const canvas = useCanvasStore();
  const alone = useEditor((state) => state.nodes.size === 1);
  const busy = useCanvas((state) => state.wiring !== null || state.moving !== null);
  if (!alone || busy) return null;
  return (
    <NodeToolbar isVisible position={Position.Top} align="start" offset={4}>
      <button
        type="button"
        className="flow-button"
        aria-label={t('editor.act.menuOf', { name })}
        aria-haspopup="menu"
        onClick={({ clientX: x, clientY: y }) =>
          canvas.set({ popup: { kind: 'menu', node: id, at: { x, y } }, current: id })
        }
      >
        <Icon name="dots" />
      </button>
    </NodeToolbar>
  );
}

/** How the card stands to what is being drawn or shown. */
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

function NodeBadge({ view, alarm }: { view: NodeView; alarm: 'alarm' | 'warning' | null }) {
  const { t } = useTranslation();
  const store = useEditorStore();
  const failed = useCanvas((state) => state.run?.failed === view.node.id);
  const unknown = view.title === null;
  if (!unknown && !failed && view.worst === null && alarm === null) return null;
  const shape =
    failed || view.worst === 'error' || alarm === 'alarm'
      ? 'alarm'
      : view.worst === 'warning' || alarm === 'warning'
        ? 'warning'
        : 'unknown';
  const open = (event: MouseEvent) => {
    event.stopPropagation();
    store.select([view.node.id]);
    store.openDock('problems');
  };
  return (
    <span className="flow-badge" onClick={open}>
      <Shape name={shape} label={t(`editor.badge.${shape}`)} />
    </span>
  );
}

/** Switched off: wires lead past it. */
function Bypass({ view: { placed } }: { view: NodeView }) {
  const { width } = placed;
  if (!placed.input || placed.outs.length === 0) return null;
  return (
    <svg className="flow-bypass" width={width} height={placed.height} aria-hidden="true">
      <path d={`M0 48H-10V-10H${width + 10}V48H${width}`} />
    </svg>
  );
}
