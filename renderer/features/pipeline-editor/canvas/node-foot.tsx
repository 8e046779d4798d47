import { useTranslation } from 'react-i18next';
import { percentText } from '#ui/quantity.ts';
import { ageText } from '#ui/time.tsx';
import { useNow } from '#ui/now.ts';
import type { NodeTraffic } from '#common/model/traffic.ts';
import type { NodeView } from '../model/node-view.ts';
import { useCanvas } from './canvas-context.ts';
import { rateText, timeText } from './figures.ts';
import { PortName } from './node-ports.tsx';

/** Messages per second and p99 of the running revision; with several output ports, the name of the last one. */
export function NodeFoot({ view: { node, placed, change } }: { view: NodeView }) {
  const several = placed.outs.length > 1;
  const traffic = useCanvas((state) => state.traffic.byNode.get(node.id) ?? null);
  const state = useCanvas((state) => state.traffic.state);
  const runUs = useCanvas((state) => state.run?.nodes.get(node.id));
  const waiting = useCanvas((state) => state.targets.get(node.id)?.queued ?? 0);
  const { t, i18n } = useTranslation();
  const last = placed.outs.at(-1);
  return (
    <div className={state === 'stale' ? 'flow-foot stale' : 'flow-foot'}>
      {runUs !== undefined ? (
        <span>{timeText(runUs / 1000, i18n.language)}</span>
      ) : waiting > 0 ? (
        <span>{t('editor.foot.waiting', { count: waiting })}</span>
      ) : change === 'new' || (traffic === null && state === 'live') ? (
        <span>{t('editor.foot.noCalls')}</span>
      ) : (
        <Figures traffic={traffic} several={several} />
      )}
      {several && last !== undefined && <PortName node={node.id} port={last} />}
    </div>
  );
}

function Figures({ traffic, several }: { traffic: NodeTraffic | null; several: boolean }) {
  const { t, i18n } = useTranslation();
  const { state, at } = useCanvas((canvas) => canvas.traffic);
  if (traffic === null) return <span>{t(state === 'stopped' ? 'editor.foot.notRunning' : 'editor.foot.noCalls')}</span>;
  const { perSecond, p99Ms, errorShare } = traffic;
  const failing = errorShare > 0 && <em>{percentText(errorShare, i18n.language)}</em>;
  const time = p99Ms === null ? '' : timeText(p99Ms, i18n.language);
  if (several) {
    return (
      <span>
        {time} {failing}
      </span>
    );
  }
  return (
    <>
      <span>
        {rateText(perSecond, i18n.language)} {failing}
      </span>
      {state === 'stale' && at !== null ? <Age at={at} /> : <span>{time}</span>}
    </>
  );
}

function Age({ at }: { at: string }) {
  const { t, i18n } = useTranslation();
  return <span>{ageText(t, i18n.language, at, useNow())}</span>;
}
