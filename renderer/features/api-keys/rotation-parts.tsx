import { Button } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { KeyRecord } from '#common/model/records.ts';
import type { KeyTraffic } from '#common/model/traffic.ts';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/now.ts';
import { Panel } from '#ui/panel.tsx';
import { durationText, numberText } from '#ui/quantity.ts';
import { Shape } from '#ui/shape.tsx';
import { ageText } from '#ui/time.tsx';
import { TrendChart } from '#ui/trend/trend-chart.tsx';
import { chartExtent, pointsOf, seenWithNew, type Verdict } from './rotation-view.ts';

/** The purpose of the page: can the old key be revoked? */
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
    case 'partly':
      return (
        <VerdictNote
          shape="advisory"
          title={t('keysPage.verdict.partly', { count: verdict.total - verdict.seen })}
          text={t('keysPage.verdict.partlyText', { time, seen: verdict.seen, total: verdict.total })}
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

interface VerdictNoteProps {
  shape: Parameters<typeof Shape>[0]['name'];
  title: string;
  text: string;
  action?: ReactNode;
}

function VerdictNote({ shape, title, text, action }: VerdictNoteProps) {
  return (
    <output className={`panel verdict ${shape}`}>
      <Shape name={shape} />
      <div className="grow">
        <h2>{title}</h2>
        <p className="t2">{text}</p>
      </div>
      {action}
    </output>
  );
}

interface DoneProps {
  old: KeyRecord;
  fresh: KeyRecord;
  oldTraffic: KeyTraffic | undefined;
  newTraffic: KeyTraffic | undefined;
}

/** The old key is revoked: the traffic of the new one, and a link back. */
export function DonePanel({ old, fresh, oldTraffic, newTraffic }: DoneProps) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { seen, missing } =
    oldTraffic && newTraffic ? seenWithNew(oldTraffic, newTraffic) : { seen: [], missing: [] as string[] };
  const rate = newTraffic?.callsPerMinute ?? null;
  const sentences = [
    t('keysPage.doneBy', {
      person: old.revokedBy ?? '',
      ago: ageText(t, i18n.language, old.revokedAt ?? now.toISOString(), now),
    }),
    rate !== null && t('keysPage.doneRate', { name: fresh.name, rate: numberText(rate, i18n.language, 1) }),
    seen.length + missing.length > 0 &&
      t('keysPage.doneRoutes', { seen: seen.length, total: seen.length + missing.length }),
  ];
  return (
    <VerdictNote
      shape={missing.length === 0 ? 'passed' : 'advisory'}
      title={t('keysPage.done', { name: old.name })}
      text={sentences.filter(Boolean).join(' ')}
      action={
        <Button variant="filled" component={Link} href={KEY_LIST}>
          {t('keysPage.toKeys')}
        </Button>
      }
    />
  );
}

const KEY_LIST = '/settings/api-keys';

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
  const isRevoked = record.revokedAt !== null;
  // The last minute can include time before the revocation.
  const rate = isRevoked ? null : (traffic?.callsPerMinute ?? null);
  return (
    <section className="panel key-card">
      <div className="row">
        <h2 className="grow">{title}</h2>
        {isRevoked && (
          <Chip shape="stopped" quiet>
            {t('keysPage.revokedState')}
          </Chip>
        )}
        {rate !== null && rate > 0 && <Chip shape="running">{t('keysPage.inUse')}</Chip>}
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

interface ChartProps {
  old: KeyTraffic | undefined;
  fresh: KeyTraffic | undefined;
  /** When the new key was created. */
  createdAt: string;
}

export function TrafficChart({ old, fresh, createdAt }: ChartProps) {
  const { t } = useTranslation();
  const drawn = useMemo(
    () => old && fresh && { old: pointsOf(old.series, old.at), fresh: pointsOf(fresh.series, fresh.at) },
    [old, fresh],
  );
  const series = useMemo(
    () =>
      drawn && [
        { label: t('keysPage.newKeyShort'), unit: '/min', points: drawn.fresh, fromZero: true },
        { label: t('keysPage.oldKey'), unit: '/min', points: drawn.old, fromZero: true },
      ],
    [drawn, t],
  );
  const extent = useMemo(() => old && chartExtent(old.series, createdAt), [old, createdAt]);
  const mark = useMemo(
    () => (extent && extent.markAt !== null ? { at: extent.markAt, text: t('keysPage.chartMark') } : undefined),
    [extent, t],
  );
  return (
    <Panel title={t('keysPage.chart')} className="rotation-chart">
      {series && extent && (
        <TrendChart
          plain
          label={t('keysPage.chartLabel')}
          series={series}
          from={extent.from}
          to={extent.to}
          {...(mark && { mark })}
          height={HEIGHT}
        />
      )}
    </Panel>
  );
}
