import { useTranslation } from 'react-i18next';
import { IconButton } from '#ui/icon-button.tsx';
import { useEditor, useEditorStore } from '../editor-context.tsx';
import { useStepText } from './use-step-text.ts';

/** Undo and redo, each with the step that it reverses or repeats. */
export function UndoButtons() {
  const { t } = useTranslation();
  const store = useEditorStore();
  const stepText = useStepText();
  const { past, future } = useEditor((state) => state.history);
  const frozen = useEditor((state) => state.showsRunning);
  const [last, next] = [past.at(-1), future[0]];
  const undo = last ? t('editorDock.undoNamed', { what: stepText(last) }) : t('editorDock.undo');
  const redo = next ? t('editorDock.redoNamed', { what: stepText(next) }) : t('editorDock.redo');
  return (
    <span className="row tight">
      <IconButton
        icon="undo"
        label={undo}
        hinted
        disabled={last === undefined || frozen}
        onClick={() => store.undo()}
      />
      <IconButton
        icon="redo"
        label={redo}
        hinted
        disabled={next === undefined || frozen}
        onClick={() => store.redo()}
      />
    </span>
  );
}
