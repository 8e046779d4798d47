import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMakeSample, type SampleProject } from '#api/setup-queries.ts';
import { ErrorNote } from './error-note.tsx';

/** Creates the sample project and starts the pipelines that this user may start. */
export function SampleButton({ onMade }: { onMade?: (made: SampleProject) => void }) {
  const { t } = useTranslation();
  const make = useMakeSample();
  return (
    <>
      {make.isError && <ErrorNote error={make.error} title={t('projectFiles.sampleFailed')} />}
      <Button
        variant="filled"
        loading={make.isPending}
        onClick={() => make.mutate(undefined, { onSuccess: (made) => onMade?.(made) })}
      >
        {t('projectFiles.makeSample')}
      </Button>
    </>
  );
}
