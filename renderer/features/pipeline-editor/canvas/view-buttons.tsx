import { useTranslation } from 'react-i18next';
import { CanvasIcon } from './canvas-icon.tsx';
import { editable, useEditorActions } from './editor-actions.ts';
import { tidyUp } from './edit-acts.ts';
import { writeNewNote } from './note-acts.ts';
import { useEditor } from '../editor-context.tsx';
import { fit, toggleCanvasOnly, zoomIn, zoomOut } from './view-acts.ts';

/** Zoom, _Fit_, _Tidy_, and the list of keys. */
export function ViewButtons() {
  const { t } = useTranslation();
  const desk = useEditorActions();
  useEditor((state) => state.showsRunning);
  const canvasOnly = useEditor((state) => state.canvasOnly);
  const button = (name: Parameters<typeof CanvasIcon>[0]['name'], words: string, act: () => unknown) => (
    <button type="button" className="flow-button" aria-label={words} title={words} onClick={() => void act()}>
      <CanvasIcon name={name} />
    </button>
  );
  return (
    <>
      <div className="flow-buttons">
        {button('keys', t('editor.act.keys'), () => desk.canvas.set({ popup: { kind: 'keys' } }))}
        {editable(desk) && button('note', t('editor.act.note'), () => writeNewNote(desk))}
        {editable(desk) && button('tidy', t('editor.act.tidy'), () => tidyUp(desk))}
        {button('plus', t('editor.act.zoomIn'), () => zoomIn(desk))}
        {button('minus', t('editor.act.zoomOut'), () => zoomOut(desk))}
        {button('fit', t('editor.act.fit'), () => fit(desk))}
        <button
          type="button"
          className="flow-button"
          aria-label={t('editor.act.canvasOnly')}
          title={`${t('editor.act.canvasOnly')} (F9)`}
          aria-pressed={canvasOnly}
          onClick={() => toggleCanvasOnly(desk)}
        >
          <CanvasIcon name={canvasOnly ? 'panels' : 'canvasOnly'} />
        </button>
      </div>
    </>
  );
}
