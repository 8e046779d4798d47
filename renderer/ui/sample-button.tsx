import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMakeSample, type SampleProject } from '#api/setup-queries.ts';
import { ErrorNote } from './error-note.tsx';

/** Makes the sample project and starts what this person may start. */
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
