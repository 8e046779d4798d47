import { useTranslation } from 'react-i18next';
import { Shape } from '#ui/shape.tsx';
import type { NodeView } from '../model/node-view.ts';
import { useCanvas } from './canvas-context.ts';
import { kindLine } from './choice-words.ts';
import { Glyph } from './glyph.tsx';
import { NodeFoot } from './node-foot.tsx';
import { PortName } from './node-ports.tsx';
import { NodeSummary } from './node-summary.tsx';

/** Icon, name and kind. When zoomed out, only the name. */
export function CardHead({ view: { node, title, mode, category, change }, far }: { view: NodeView; far: boolean }) {
  const { t } = useTranslation();
  const kind = title === null ? t('editor.missingKind', { kind: node.kind }) : kindLine(t, title, mode);
  return (
    <div className="flow-head">
      <span className="flow-glyph">
        <Glyph kind={node.kind} category={category} />
      </span>
      <span className="flow-names">
        <b>{node.name ?? node.id}</b>
        {!far && <small>{kind}</small>}
      </span>
      {change !== null && !far && <span className="flow-tag">{t(`editor.change.${change}`)}</span>}
    </div>
  );
}

/** The summary, a row for each output port if there are several, and the footer. */
export function CardBody({ view }: { view: NodeView }) {
  const { node, placed, title } = view;
  const [first] = placed.outs;
  return (
    <>
      <div className="flow-row">
        <NodeSummary node={node} missing={title === null} />
        {placed.outs.length > 1 && first !== undefined && <PortName node={node.id} port={first} />}
      </div>
      {placed.outs.slice(1, -1).map((port) => (
        <div className="flow-row" key={port}>
          <PortName node={node.id} port={port} />
        </div>
      ))}
      <NodeFoot view={view} />
    </>
  );
}

/** The most severe of the states from `check`, a run and a target. */
export function NodeBadge({ view, alarm }: { view: NodeView; alarm: 'alarm' | 'warning' | null }) {
  const { t } = useTranslation();
  const failed = useCanvas((state) => state.run?.failed === view.node.id);
  const unknown = view.title === null;
  if (!unknown && !failed && view.worst === null && alarm === null) return null;
  const shape =
    failed || view.worst === 'error' || alarm === 'alarm'
      ? 'alarm'
      : view.worst === 'warning' || alarm === 'warning'
        ? 'warning'
        : 'unknown';
  return (
    <span className="flow-badge">
      <Shape name={shape} label={t(`editor.badge.${shape}`)} />
    </span>
  );
}

/** Disabled: wires bypass it. */
export function Bypass({ view: { placed } }: { view: NodeView }) {
  const { width } = placed;
  if (!placed.input || placed.outs.length === 0) return null;
  return (
    <svg className="flow-bypass" width={width} height={placed.height} aria-hidden="true">
      <path d={`M0 48H-10V-10H${width + 10}V48H${width}`} />
    </svg>
  );
}
