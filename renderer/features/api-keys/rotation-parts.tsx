import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyRecord } from '#common/model/records.ts';
import type { KeyTraffic, Series } from '#common/model/traffic.ts';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/now.ts';
import { Panel } from '#ui/panel.tsx';
import { durationText, numberText } from '#ui/quantity.ts';
import { Shape } from '#ui/shape.tsx';
import { ageText } from '#ui/time.tsx';
import { TrendChart } from '#ui/trend/trend-chart.tsx';
import type { TrendPoint } from '#ui/trend/trend-points.ts';
import type { Verdict } from './rotation-view.ts';

/** The one thing that the page is opened for: may the old key go? */
export function VerdictPanel({ verdict, wait }: { verdict: Verdict; wait: number }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const time = durationText(wait * 60);
  switch (verdict.kind) {
    case 'unknown':
      return <VerdictNote shape="unknown" title={t('keysPage.verdict.unknown')} text="" />;
    case 'used':
      return (
        <VerdictNote
          shape="warning"
          title={t('keysPage.verdict.used', { count: verdict.hosts })}
          text={t('keysPage.verdict.usedText', {
            ip: verdict.ip,
            ago: ageText(t, i18n.language, verdict.last, now),
            time,
          })}
        />
      );
    case 'untried':
      return (
        <VerdictNote
          shape="advisory"
          title={t('keysPage.verdict.untried')}
          text={t('keysPage.verdict.untriedText', { time })}
        />
      );
    case 'free':
      return (
        <VerdictNote
          shape="passed"
          title={t('keysPage.verdict.free')}
          text={t('keysPage.verdict.freeText', { time })}
        />
      );
  }
}

function VerdictNote({
  shape,
  title,
  text,
}: {
  shape: Parameters<typeof Shape>[0]['name'];
  title: string;
  text: string;
}) {
  return (
    <output className={`panel verdict ${shape}`}>
      <Shape name={shape} />
      <div>
        <h2>{title}</h2>
        <p className="t2">{text}</p>
      </div>
    </output>
  );
}

export function KeyCard({
  title,
  record,
  traffic,
}: {
  title: string;
  record: KeyRecord;
  traffic: KeyTraffic | undefined;
}) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const age = (iso: string) => ageText(t, i18n.language, iso, now);
  const last = traffic?.lastCall ?? null;
  const rate = traffic?.callsPerMinute ?? null;
  return (
    <section className="panel key-card">
      <div className="row">
        <h2 className="grow">{title}</h2>
        {record.revokedAt === null && rate !== null && rate > 0 && <Chip shape="running">{t('keysPage.inUse')}</Chip>}
      </div>
      <p className="mono t2">{`slc_${record.id}_…`}</p>
      <p className="row">
        <b className="figure">{rate === null ? '–' : numberText(rate, i18n.language, 1)}</b>
        <span className="t2">{t('keysPage.perMinute')}</span>
        <span>{t('keysPage.hostCount', { count: traffic?.hosts.length ?? 0 })}</span>
      </p>
      <p>
        {last === null ? t('keysPage.noCall') : t('keysPage.lastCall', { ago: age(last.at), ip: last.ip })}{' '}
        {t('keysPage.made', { ago: age(record.createdAt) })}
      </p>
    </section>
  );
}

const HEIGHT = 190;

export function TrafficChart({ old, fresh }: { old: KeyTraffic | undefined; fresh: KeyTraffic | undefined }) {
  const { t } = useTranslation();
  const drawn = useMemo(
    () => old && fresh && { old: pointsOf(old.series), fresh: pointsOf(fresh.series) },
    [old, fresh],
  );
  const series = useMemo(
    () =>
      drawn && [
        { label: t('keysPage.newKeyShort'), unit: '/min', points: drawn.fresh },
        { label: t('keysPage.oldKey'), unit: '/min', points: drawn.old },
      ],
    [drawn, t],
  );
  const from = drawn?.old[0]?.[0] ?? 0;
  const to = drawn?.old.at(-1)?.[0] ?? 0;
  return (
    <Panel title={t('keysPage.chart')} className="rotation-chart">
      {series && <TrendChart plain label={t('keysPage.chartLabel')} {...{ series, from, to }} height={HEIGHT} />}
    </Panel>
  );
}

function pointsOf({ from, stepSeconds, values }: Series): TrendPoint[] {
  const start = Date.parse(from);
  return values.map((value, index) => [start + index * stepSeconds * 1000, value]);
}
