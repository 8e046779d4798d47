import { useTranslation } from 'react-i18next';
import { Icon } from '#ui/icon.tsx';
import { Shape } from '#ui/shape.tsx';
import { useCanvas, useCanvasStore } from './canvas-context.ts';
import { choiceTitle } from './choice-words.ts';
import { nodesText, useEditorActions } from './editor-actions.ts';

/** At the top of the canvas: the effect of the next tap, or why the last action was refused. */
export function Strip() {
  const { t } = useTranslation();
  const canvas = useCanvasStore();
  const desk = useEditorActions();
  const wiring = useCanvas((state) => state.wiring);
  const placing = useCanvas((state) => state.placing);
  const refused = useCanvas((state) => state.refused);
  if (refused !== null) {
    return (
      <div className="flow-strip refused">
        <Shape name="refused" small />
        <span>{refused.text}</span>
        <button
          type="button"
          className="flow-button"
          aria-label={t('common.close')}
          onClick={() => canvas.set({ refused: null })}
        >
          <Icon name="close" />
        </button>
      </div>
    );
  }
  if (placing === null && (wiring === null || wiring.how === 'drag')) return null;
  const name = wiring === null ? '' : nodesText(desk, new Set([wiring.node]));
  const text =
    placing !== null
      ? t('editor.strip.place', { name: choiceTitle(t, placing) })
      : t(`editor.strip.${wiring?.how === 'keys' ? 'keys' : 'tap'}${wiring?.end === 'to' ? 'To' : 'From'}`, {
          name,
          port: wiring?.port,
        });
  return (
    <div className="flow-strip">
      <span>{text}</span>
      <button type="button" className="flow-button worded" onClick={() => canvas.cancel()}>
        {t('common.cancel')}
      </button>
    </div>
  );
}
