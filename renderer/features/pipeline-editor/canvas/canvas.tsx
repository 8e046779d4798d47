import { useTranslation } from 'react-i18next';
import { clockTime } from '#ui/format.ts';
import { Icon } from '#ui/icon.tsx';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import { useCanvas } from './canvas-context.ts';
import './canvas.css';
import { CanvasPopup } from './canvas-popup.tsx';
import { useEditorActions } from './editor-actions.ts';
import { EgressTargets } from './egress-targets.tsx';
import { EmptyCanvas } from './empty-canvas.tsx';
import { Graph } from './graph.tsx';
import { PaletteGhost } from './palette-ghost.tsx';
import { Strip } from './strip.tsx';
import { useCanvasKeys } from './use-canvas-keys.ts';
import { useCentred, useChosenInView, useFocusInView } from './use-centred.ts';
import { useLiveFigures } from './use-live-figures.ts';
import { ViewButtons } from './view-buttons.tsx';

/** The graph: nodes and wires, edited with mouse, touch or keyboard. */
export function Canvas() {
  const desk = useEditorActions();
  const keys = useCanvasKeys(desk);
  useLiveFigures();
  useCentred(desk);
  useFocusInView(desk);
  useChosenInView(desk);
  return (
    <section className="editor-canvas" data-region="canvas">
      <Graph onKeyDown={keys} />
      <RunningBand />
      <RunBand />
      <ViewerNote />
      <EmptyCanvas />
      <Strip />
      <ViewButtons />
      <CanvasPopup />
      <PaletteGhost />
      <EgressTargets />
      <Spoken />
    </section>
  );
}

/** _Show running_: the canvas does not show the draft. */
function RunningBand() {
  const { t } = useTranslation();
  const { record, store } = useEditorContext();
  const shows = useEditor((state) => state.showsRunning);
  if (!shows) return null;
  return (
    <p className="flow-band">
      {t('editor.runningBand', { revision: record.runningRevision })}
      <button type="button" className="as-link" onClick={() => store.showRunning(false)}>
        {t('editor.backToDraft')}
      </button>
    </p>
  );
}

/** The path of a run is highlighted, and other nodes are faded. */
function RunBand() {
  const { t } = useTranslation();
  const { store } = useEditorContext();
  const showsRunning = useEditor((state) => state.showsRunning);
  const startedAt = useCanvas((state) => state.run?.startedAt ?? null);
  if (startedAt === null || showsRunning) return null;
  return (
    <p className="flow-band">
      {t('editor.runBand', { time: clockTime(new Date(startedAt)) })}
      <button
        type="button"
        className="flow-button flow-band-end"
        aria-label={t('editor.runBandEnd')}
        title={t('editor.runBandEnd')}
        onClick={() => store.showRun(null)}
      >
        <Icon name="close" />
      </button>
    </p>
  );
}

function ViewerNote() {
  const { t } = useTranslation();
  const { mayEdit } = useEditorContext();
  return !mayEdit && <p className="flow-note">{t('editor.viewerNote')}</p>;
}

/** Announces changes, and refusals immediately. Counters are silent. */
function Spoken() {
  const said = useCanvas((state) => state.said);
  const refused = useCanvas((state) => state.refused);
  return (
    <>
      {/* A repeated text is announced again: the key creates a new element. */}
      <div className="visually-hidden" aria-live="polite">
        <span key={said.turn}>{said.text}</span>
      </div>
      <div className="visually-hidden" role="alert">
        {refused !== null && <span key={refused.turn}>{refused.text}</span>}
      </div>
    </>
  );
}
