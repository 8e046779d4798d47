import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { StatusRecord } from '#common/model/records.ts';
import { Panel } from '#ui/panel.tsx';
import { Shape } from '#ui/shape.tsx';
import { Moment } from '#ui/time.tsx';

export function StatusCards({ status }: { status: StatusRecord }) {
  const { t } = useTranslation();
  const { gateway, pipelines } = status;
  const well = gateway.state === 'running';
  return (
    <div className="cards">
      <Card
        label={t('overview.gateway')}
        foot={
          <>
            {t('overview.since')} <Moment iso={gateway.since} />
          </>
        }
      >
        <Shape name={well ? 'running' : gateway.state === 'dead' ? 'alarm' : 'starting'} />
        {t(`overview.state.${gateway.state}`)}
      </Card>
      <Card label={t('overview.port')} foot={gateway.port === null ? t('overview.portNone') : t('overview.portUnit')}>
        {gateway.port ?? '–'}
      </Card>
      <Card label={t('overview.running')} foot={t('overview.failedCount', { count: pipelines.failed })}>
        {pipelines.running}
      </Card>
      <Card
        label={t('overview.restarts')}
        foot={
          <>
            {t('overview.started')} <Moment iso={status.startedAt} />
          </>
        }
      >
        {gateway.restarts}
      </Card>
    </div>
  );
}

function Card({ label, foot, children }: { label: string; foot: ReactNode; children: ReactNode }) {
  return (
    <Panel>
      <div className="card">
        <span className="label">{label}</span>
        <span className="value">{children}</span>
        <span className="foot">{foot}</span>
      </div>
    </Panel>
  );
}
