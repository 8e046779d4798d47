import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '#ui/icon.tsx';
import { part } from '#ui/part/part.tsx';
import { useEditor } from '../editor-context.tsx';
import { editable, useEditorActions } from './editor-actions.ts';
import { openAddList } from './use-canvas-keys.ts';

/** Loaded on first use. */
const TemplateDialog = part(async () => (await import('./template-dialog.tsx')).TemplateDialog);

/** On a canvas without nodes: how to begin. */
export function EmptyCanvas() {
  const { t } = useTranslation();
  const desk = useEditorActions();
  const isEmpty = useEditor(({ draft, showsRunning }) => draft.nodes.length === 0 && !showsRunning);
  const [isChoosing, setChoosing] = useState(false);
  if (!isEmpty || !editable(desk)) return null;
  return (
    <div className="flow-empty">
      <h2>{t('editor.empty.title')}</h2>
      <p className="t2">{t('editor.empty.text')}</p>
      <div className="row wrap">
        <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => openAddList(desk, null)}>
          {t('editor.empty.add')}
        </Button>
        <Button onClick={() => setChoosing(true)}>{t('templates.title')}</Button>
      </div>
      {isChoosing && <TemplateDialog onClose={() => setChoosing(false)} />}
    </div>
  );
}
