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

/** Starts the newest revision. */
export function useStart({ pipeline, onFault }: Props) {
  const start = useStartPipeline();
  return {
    isPending: start.isPending,
    begin: () => {
      onFault(null);
      start.mutate(pipeline, { onError: (error) => onFault({ act: 'start', pipeline, error }) });
    },
  };
}

/** Start or stop; `iconOnly`: without text, on touch panels. */
export function RunControls({ iconOnly, ...props }: Props & { iconOnly: boolean }) {
  const { t } = useTranslation();
  const mayRun = usePermission('run_pipelines');
  const start = useStart(props);
  const [asking, setAsking] = useState(false);
  if (!mayRun) return null;
  const act = isStarted(props.pipeline) ? 'stop' : 'start';
  const label = t(`pipelines.${act}Named`, { name: props.pipeline.name });
  return (
    <>
      <Button
        className={iconOnly ? 'square' : ''}
        leftSection={iconOnly ? null : <Icon name={act} />}
        loading={start.isPending}
        onClick={() => (act === 'stop' ? setAsking(true) : start.begin())}
        aria-label={label}
        title={iconOnly ? label : undefined}
      >
        {iconOnly ? <Icon name={act} /> : t(`pipelines.${act}`)}
      </Button>
      {asking && <Stopping {...props} onClose={() => setAsking(false)} />}
    </>
  );
}

export const isStarted = ({ runningRevision, state }: PipelineRecord): boolean =>
  runningRevision !== null || state === 'running';

/** The running revision is not the newest. */
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
