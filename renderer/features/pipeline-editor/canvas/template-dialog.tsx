import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogFoot } from '#ui/dialog-foot.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TemplateGallery } from '#ui/templates/template-gallery.tsx';
import type { PipelineTemplate } from '#ui/templates/template.ts';
import { insertTemplate } from './edit-acts.ts';
import { useEditorActions } from './editor-actions.ts';

/** Inserts a template on the empty canvas. */
export function TemplateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const desk = useEditorActions();
  const [template, setTemplate] = useState<PipelineTemplate | null>(null);
  const insert = (chosen: PipelineTemplate) => {
    onClose();
    insertTemplate(desk, chosen);
  };
  return (
    <Dialog
      title={t('templates.title')}
      onDismiss={onClose}
      wide
      foot={
        <DialogFoot keep={t('common.cancel')} onKeep={onClose}>
          <Button variant="filled" disabled={template === null} onClick={() => template !== null && insert(template)}>
            {t('templates.insert')}
          </Button>
        </DialogFoot>
      }
    >
      <TemplateGallery chosen={template?.id ?? null} onChoose={setTemplate} />
    </Dialog>
  );
}
