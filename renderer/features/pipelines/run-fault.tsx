import { useTranslation } from 'react-i18next';
import type { PipelineRecord } from '#common/model/records.ts';
import { ErrorNote } from '#ui/error-note.tsx';

export interface RunFaultState {
  act: 'start' | 'stop';
  pipeline: PipelineRecord;
  error: Error;
}

/** Why a start or stop was refused, reason by reason. */
export function RunFault({ fault }: { fault: RunFaultState }) {
  const { t } = useTranslation();
  const { name } = fault.pipeline;
  return (
    <ErrorNote
      error={fault.error}
      title={fault.act === 'start' ? t('pipelines.refused', { name }) : t('pipelines.stopRefused', { name })}
    />
  );
}
