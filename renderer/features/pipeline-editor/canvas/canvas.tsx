import { useTranslation } from 'react-i18next';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import { useCanvas } from './canvas-context.ts';
import './canvas.css';
import { CanvasPopup } from './canvas-popup.tsx';
import { useEditorActions } from './editor-actions.ts';
import { EgressTargets } from './egress-targets.tsx';
import { Graph } from './graph.tsx';
import { PaletteGhost } from './palette-ghost.tsx';
import { Strip } from './strip.tsx';
import { useCanvasKeys } from './use-canvas-keys.ts';
import { useCentred, useFocusInView } from './use-centred.ts';
import { useLiveFigures } from './use-live-figures.ts';
import { ViewButtons } from './view-buttons.tsx';

/** The graph: nodes and wires, drawn by mouse, touch or keys. */
export function Canvas() {
  const desk = useEditorActions();
  const keys = useCanvasKeys(desk);
  useLiveFigures();
  useCentred(desk);
  useFocusInView(desk);
  return (
    <section className="editor-canvas" data-region="canvas">
      <Graph onKeyDown={keys} />
      <RunningBand />
      <ViewerNote />
      <Strip />
      <ViewButtons />
      <CanvasPopup />
      <PaletteGhost />
      <EgressTargets />
      <Spoken />
    </section>
  );
}

/** *Show running*: what is on the canvas is not the draft. */
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

function ViewerNote() {
  const { t } = useTranslation();
  const { mayEdit } = useEditorContext();
  return !mayEdit && <p className="flow-note">{t('editor.viewerNote')}</p>;
}

/** Announces changes, and refusals at once. Counters are silent. */
function Spoken() {
  const said = useCanvas((state) => state.said);
  const refused = useCanvas((state) => state.refused);
  return (
    <>
      {/* A repeated text is announced twice: the key makes it a new element. */}
      <div className="visually-hidden" aria-live="polite">
        <span key={said.turn}>{said.text}</span>
      </div>
      <div className="visually-hidden" role="alert">
        {refused !== null && <span key={refused.turn}>{refused.text}</span>}
      </div>
    </>
  );
}
