import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useEndStop, useWriteStops } from '#api/data-queries.ts';
import { usePermission } from '#api/session.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { Note } from '#ui/note.tsx';
import { Moment } from '#ui/time.tsx';

/** The write stops that are in force, each with the button that ends it. */
export function WriteStopNotes({ project }: { project: string }) {
  const { t } = useTranslation();
  const stops = useWriteStops(project);
  const end = useEndStop(project);
  const mayRun = usePermission('run_pipelines');
  return (
    <>
      {end.error && <ErrorNote error={end.error} />}
      {stops.data?.map(({ device, reason, by, until }) => (
        <Note
          key={device ?? ''}
          kind="warning"
          title={device === null ? t('writeStop.allStopped') : t('writeStop.deviceStopped', { device })}
          action={
            mayRun && (
              <Button loading={end.isPending} onClick={() => end.mutate(device)}>
                {t('writeStop.end')}
              </Button>
            )
          }
        >
          <p>
            {t('writeStop.by', { reason, by })}.{' '}
            {until === null ? (
              t('writeStop.endsNever')
            ) : (
              <>
                {t('writeStop.endsAt')} <Moment iso={until} />
              </>
            )}
          </p>
        </Note>
      ))}
    </>
  );
}
