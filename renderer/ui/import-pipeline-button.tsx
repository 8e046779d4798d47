import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChosenProject } from '#api/chosen-project.ts';
import { Icon } from './icon.tsx';
import { dialogPart } from './part/dialog-part.tsx';

const ImportDialog = dialogPart(
  (t) => t('projectFiles.import.pipeline'),
  async () => (await import('./import-dialog.tsx')).ImportDialog,
);

/** Imports a pipeline from a file, into the project of the page unless another one is selected. */
export function ImportPipelineButton() {
  const { t } = useTranslation();
  const { project } = useChosenProject();
  const [open, setOpen] = useState(false);
  if (project === null) return null;
  return (
    <>
      <Button leftSection={<Icon name="upload" />} onClick={() => setOpen(true)}>
        {t('projectFiles.import.pipeline')}
      </Button>
      {open && <ImportDialog kind="pipeline" project={project} onClose={() => setOpen(false)} />}
    </>
  );
}
