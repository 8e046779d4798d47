import { memo, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '../editor-context.tsx';
import type { NodeView } from '../model/node-view.ts';
import { outY } from '../model/geometry.ts';
import { ERROR_PORT } from '../model/ports.ts';
import { useCanvas } from './canvas-context.ts';
import { useEditorActions, type EditorActions } from './editor-actions.ts';
import { rateText } from './figures.ts';
import { followPointer } from './pointer-wiring.ts';
import { swallowClick } from './swallow-click.ts';
import { begin, finishAt } from './wire-acts.ts';

/**
 * Input port left, output ports right, the error port at the bottom. Drawing wires is done here; React Flow only needs
 * their ends.
 */
export const NodePorts = memo(function NodePorts({ view: { node, placed } }: { view: NodeView }) {
  const { outs, input, error } = placed;
  return (
    <>
      {input && <Port node={node.id} port="" side="left" top={48} rows={1} />}
      {outs.map((port, index) => (
        <Port key={port} node={node.id} port={port} side="right" top={outY(index, outs.length)} rows={outs.length} />
      ))}
      {error && !outs.includes(ERROR_PORT) && (
        <Port node={node.id} port={ERROR_PORT} side="bottom" top={placed.height} rows={1} />
      )}
    </>
  );
});

/** When zoomed out, ports are hidden, but React Flow needs the ends of wires nevertheless. */
export function PortAnchors({ view: { placed } }: { view: NodeView }) {
  const ports = [...(placed.input ? [''] : []), ...placed.outs, ...(placed.error ? [ERROR_PORT] : [])];
  return ports.map((port) => <i key={port} hidden className={anchorClass(port)} {...anchor(port, 'right')} />);
}

function anchorClass(port: string): string {
  return port === '' ? 'target' : 'source';
}

/** React Flow finds the ends of wires by these. */
function anchor(port: string, side: PortProps['side']) {
  return { 'data-handleid': port === '' ? 'in' : port, 'data-handlepos': side };
}

interface PortProps {
  node: string;
  /** Empty: the input port. */
  port: string;
  side: 'left' | 'right' | 'bottom';
  top: number;
  rows: number;
}

function Port({ node, port, side, top, rows }: PortProps) {
  const { t } = useTranslation();
  const desk = useEditorActions();
  const wired = useEditor(({ draft }) => draft.wires.some((wire) => wire.from === node && wire.port === port));
  const flows = useCanvas(({ traffic }) => (traffic.byNode.get(node)?.ports[port] ?? 0) > 0);
  const press = (event: PointerEvent) => pressPort(desk, event, node, port);
  const classes = [
    anchorClass(port),
    'flow-port nodrag nopan',
    `at-${side}`,
    rows > 1 && 'row',
    wired ? 'wired' : flows && 'open',
  ];
  return (
    <span
      className={classes.filter(Boolean).join(' ')}
      {...(side !== 'bottom' && { style: { top } })}
      data-port={port}
      {...anchor(port, side)}
      onPointerDown={press}
    >
      <i />
      {!wired && flows && port !== ERROR_PORT && rows > 1 && <em>{t('editor.notWired')}</em>}
    </span>
  );
}

/** Below this zoom a tap on a port zooms in first, because the port is too small for touch. */
const ZOOM_FOR_PORTS = 0.8;

function pressPort(desk: EditorActions, event: PointerEvent, node: string, port: string): void {
  const { wiring } = desk.canvas.snapshot();
  // A tap ends an action that began with a tap.
  if (wiring !== null) {
    event.stopPropagation();
    // Its click would immediately remove the reason for a refusal.
    document.addEventListener('pointerup', swallowClick, { capture: true, once: true });
    return finishAt(desk, node, port);
  }
  const { x, y } = desk.flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
  if (event.pointerType === 'touch' && desk.flow.getZoom() < ZOOM_FOR_PORTS) {
    event.stopPropagation();
    void desk.flow.setCenter(x, y, { zoom: 1, duration: 200 });
    return;
  }
  const open = { end: port === '' ? 'to' : 'from', node, port, moves: null } as const;
  followPointer(desk, event, open, () => begin(desk, open, 'tap', null));
}

/** The name of an output port in its row, and its rate. */
export const PortName = memo(function PortName({ node, port }: { node: string; port: string }) {
  const { i18n } = useTranslation();
  const rate = useCanvas(({ traffic }) => traffic.byNode.get(node)?.ports[port]);
  return (
    <span className="flow-port-name">
      {port} {rate !== undefined && rateText(rate, i18n.language)}
    </span>
  );
});
