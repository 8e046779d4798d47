import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '#ui/icon.tsx';
import { useEditor, useEditorStore } from '../editor-context.tsx';
import { useStepText } from './use-step-text.ts';

/** Undo and redo, each saying what it takes back or does again. */
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
      <Button
        variant="subtle"
        className="square"
        aria-label={undo}
        title={undo}
        disabled={last === undefined || frozen}
        onClick={() => store.undo()}
      >
        <Icon name="undo" />
      </Button>
      <Button
        variant="subtle"
        className="square"
        aria-label={redo}
        title={redo}
        disabled={next === undefined || frozen}
        onClick={() => store.redo()}
      >
        <Icon name="redo" />
      </Button>
    </span>
  );
}
