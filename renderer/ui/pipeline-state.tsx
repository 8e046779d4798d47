import { useTranslation } from 'react-i18next';
import type { PipelineState } from '#common/model/pipeline.ts';
import { useIsCurrent } from '../api/queries.ts';
import { Chip } from './chip.tsx';
import type { ShapeName } from './shape.tsx';

const SHAPES: Record<PipelineState, ShapeName> = { running: 'running', stopped: 'stopped', failed: 'alarm' };

export function PipelineStateChip({ state }: { state: PipelineState }) {
  const { t } = useTranslation();
  const isCurrent = useIsCurrent();
  if (state === 'running' && !isCurrent) return <Chip shape="unknown">{t('pipelines.wasRunning')}</Chip>;
  return (
    <Chip shape={SHAPES[state]} quiet={state === 'stopped'}>
      {t(`pipelines.${state}`)}
    </Chip>
  );
}
