import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PipelineRecord } from '#common/model/records.ts';
import { useStartPipeline, useStopPipeline } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { Icon } from '#ui/icon.tsx';
import type { RunFaultState } from './run-fault.tsx';
import { StopDialog } from '#ui/stop-dialog.tsx';

interface Props {
  pipeline: PipelineRecord;
  /** A refused start or stop, or null when a new attempt began. */
  onFault: (fault: RunFaultState | null) => void;
}

/** Start, stop, and start of a draft that waits behind the running revision. */
export function RunControls({ pipeline, onFault }: Props) {
  const { t } = useTranslation();
  const mayRun = usePermission('run_pipelines');
  const start = useStartPipeline();
  const [asking, setAsking] = useState(false);
  if (!mayRun) return null;
  const { name } = pipeline;
  const begin = () => {
    onFault(null);
    start.mutate(pipeline, { onError: (error) => onFault({ act: 'start', pipeline, error }) });
  };
  const runs = isStarted(pipeline);
  return (
    <span className="row run-controls">
      {!runs && (
        <Button
          leftSection={<Icon name="start" />}
          loading={start.isPending}
          onClick={begin}
          aria-label={t('pipelines.startNamed', { name })}
        >
          {t('pipelines.start')}
        </Button>
      )}
      {draftWaits(pipeline) && (
        <Button loading={start.isPending} onClick={begin}>
          {t('pipelines.startDraft', { revision: pipeline.revision })}
        </Button>
      )}
      {runs && (
        <Button
          leftSection={<Icon name="stop" />}
          onClick={() => setAsking(true)}
          aria-label={t('pipelines.stopNamed', { name })}
        >
          {t('pipelines.stop')}
        </Button>
      )}
      {asking && <Stopping pipeline={pipeline} onFault={onFault} onClose={() => setAsking(false)} />}
    </span>
  );
}

const isStarted = ({ runningRevision, state }: PipelineRecord) => runningRevision !== null || state === 'running';

/** Another revision runs than the newest. */
export const draftWaits = (pipeline: PipelineRecord): boolean =>
  isStarted(pipeline) && pipeline.runningRevision !== pipeline.revision;

function Stopping({ pipeline, onFault, onClose }: Props & { onClose: () => void }) {
  const stop = useStopPipeline();
  const confirm = () => {
    onFault(null);
    stop.mutate(pipeline, { onError: (error) => onFault({ act: 'stop', pipeline, error }), onSettled: onClose });
  };
  return <StopDialog pipeline={pipeline} pending={stop.isPending} onConfirm={confirm} onClose={onClose} />;
}
