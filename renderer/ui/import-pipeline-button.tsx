import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChosenProject } from '#api/chosen-project.ts';
import { Icon } from './icon.tsx';

const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }));

/** A pipeline from a file, into the project that the page shows unless another is chosen. */
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
      {open && (
        <Suspense>
          <ImportDialog kind="pipeline" project={project} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
