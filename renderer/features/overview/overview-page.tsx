import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StatusRecord } from '#common/model/records.ts';
import { TRAFFIC_RANGES, type TrafficOverview, type TrafficRange } from '#common/model/traffic.ts';
import { shownAlarms } from '#api/alarm-kind.ts';
import { useStatus } from '#api/queries.ts';
import { useTraffic } from '#api/traffic-queries.ts';
import { LoadError } from '#ui/load-error.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { Segments } from '#ui/segments.tsx';
import { TrendChart } from '#ui/trend/trend-chart.tsx';
import { AttentionPanel } from './attention-panel.tsx';
import { CallersPanel } from './callers-panel.tsx';
import { FigureCards } from './figure-cards.tsx';
import './overview.css';
import { chartOf, silentOf } from './overview-view.ts';
import { RouteTable } from './route-table.tsx';

/** Whether everything works, what needs attention, who calls, and who is overdue. */
export function OverviewPage() {
  const { t } = useTranslation();
  const status = useStatus();
  const [range, setRange] = useState<TrafficRange>('15m');
  const traffic = useTraffic(range);
  return (
    <>
      <PageHead
        ofGateway
        title={t('overview.title')}
        answer={status.data && <Answer status={status.data} traffic={traffic.data} />}
        actions={<RangePicker range={range} onChange={setRange} />}
      />
      {status.isError && <LoadError error={status.error} />}
      {traffic.isError && <LoadError error={traffic.error} />}
      {traffic.data && <FigureCards traffic={traffic.data} />}
      <div className="split overview">
        {status.data && <AttentionPanel status={status.data} />}
        <div className="stack">
          {traffic.data && traffic.data.routes.length > 0 && <Course traffic={traffic.data} />}
          {traffic.data && (
            <RouteTable
              routes={traffic.data.routes}
              silent={silentOf(traffic.data.callers)}
              range={t(`overviewPage.range.${range}`)}
            />
          )}
        </div>
        {traffic.data && <CallersPanel callers={traffic.data.callers} />}
      </div>
    </>
  );
}

function RangePicker({ range, onChange }: { range: TrafficRange; onChange: (range: TrafficRange) => void }) {
  const { t } = useTranslation();
  return (
    <Segments
      label={t('overviewPage.rangeLabel')}
      value={range}
      options={TRAFFIC_RANGES.map((value) => ({ value, label: t(`overviewPage.range.${value}`) }))}
      onChange={onChange}
    />
  );
}

function Answer({ status, traffic }: { status: StatusRecord; traffic: TrafficOverview | undefined }) {
  const { t } = useTranslation();
  const alarms = shownAlarms(status.alarms);
  const { state } = status.gateway;
  if (state !== 'running') return <b>{t(`overviewPage.down.${state}`)}</b>;
  const count = (kind: string) => alarms.filter(({ severity }) => severity === kind).length;
  const routes = traffic?.routes ?? [];
  const answering = routes.filter(({ answers }) => answers).length;
  const [alarmCount, warnings] = [count('alarm'), count('warning')];
  return (
    <>
      {traffic && t('overviewPage.answer', { answering, count: routes.length })}{' '}
      {alarmCount > 0 && <b>{t('overviewPage.alarms', { count: alarmCount })} </b>}
      {warnings > 0 && t('overviewPage.warnings', { count: warnings })}
      {alarmCount + warnings === 0 && t('overview.calm')}
    </>
  );
}

/** Low enough that the first routes are visible at 1280 × 800. */
const HEIGHT = 112;

function Course({ traffic }: { traffic: TrafficOverview }) {
  const { t } = useTranslation();
  const drawn = useMemo(
    () => chartOf(traffic, { calls: t('overviewPage.perSecond'), refused: t('overviewPage.refusedPerMinute') }),
    [traffic, t],
  );
  return (
    <Panel title={t('overviewPage.course')} className="course">
      <TrendChart plain label={t('overviewPage.courseLabel')} {...drawn} height={HEIGHT} />
    </Panel>
  );
}
