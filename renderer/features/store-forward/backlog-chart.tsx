import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Backlog, type EgressTarget, filledShare } from '#common/model/egress.ts';
import { TRAFFIC_RANGES, type TrafficRange } from '#common/model/traffic.ts';
import { type EgressView, useBacklog } from '#api/egress-queries.ts';
import { roundMax, type Point } from '#ui/chart-points.ts';
import { clockTime, dayAndTime } from '#ui/format.ts';
import { LineChart } from '#ui/line-chart.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { numberText, percentText } from '#ui/quantity.ts';
import { Segments } from '#ui/segments.tsx';
import { backlogGapMs, backlogPoints, fillsSoon, targetName } from './target-view.ts';

/**
 * While the buffer fills up: its fill level, and when it will be full at this rate. Otherwise: the waiting events of
 * this target.
 */
export function BacklogChart({ target, view }: { target: EgressTarget; view: EgressView }) {
  const { t } = useTranslation();
  const [range, setRange] = useState<TrafficRange>('15m');
  const { data: backlog, error } = useBacklog(target.target, range);
  const seconds = view.buffer.fullInSeconds;
  return (
    <>
      <Segments
        label={t('overviewPage.rangeLabel')}
        value={range}
        options={TRAFFIC_RANGES.map((value) => ({ value, label: t(`overviewPage.range.${value}`) }))}
        onChange={setRange}
      />
      {error !== null && <LoadError error={error} />}
      {backlog !== undefined &&
        (fillsSoon(seconds) ? (
          <FillingChart view={view} backlog={backlog} seconds={seconds} />
        ) : (
          <WaitingChart target={target} backlog={backlog} />
        ))}
    </>
  );
}

/** Room to the right of the moment at which the buffer is full. */
const BEYOND = 1.06;
/** The least share of the width that shows the past. */
const PAST_SHARE = 0.08;
const PERCENT_TOP = 125;

interface FillingProps {
  view: EgressView;
  backlog: Backlog;
  seconds: number;
}

function FillingChart({ view, backlog, seconds }: FillingProps) {
  const { t, i18n } = useTranslation();
  const now = Date.parse(backlog.at);
  const fullAt = now + seconds * 1000;
  const from = Math.min(Date.parse(backlog.filled.from), now - (fullAt - now) * PAST_SHARE);
  const share = filledShare(view.buffer);
  const full = momentText(fullAt, now, i18n.language);
  const points: Point[] = backlogPoints(backlog.filled, now).map(({ at, value }) => ({ at, value: value * 100 }));
  return (
    <LineChart
      title={t('egress.chart.filled')}
      label={t('egress.chart.growing', { share: percentText(share, i18n.language), time: full })}
      frame={{ from, to: from + (fullAt - from) * BEYOND, max: PERCENT_TOP }}
      points={points}
      gapMs={backlogGapMs(backlog.filled)}
      projected={[
        { at: now, value: share * 100 },
        { at: fullAt, value: 100 },
      ]}
      limit={100}
      mark={{ at: now, text: t('egress.chart.now', { time: clockTime(new Date(now)).slice(0, 5) }) }}
      warning={{ at: fullAt, text: t('egress.chart.full', { time: full }) }}
      yTicks={[0, 50, 100].map((value) => ({ value, text: String(value) }))}
      legend={<Legend />}
    />
  );
}

const DAY_MS = 86_400_000;

function momentText(at: number, now: number, locale: string): string {
  const time = new Date(at);
  return at - now < DAY_MS ? clockTime(time).slice(0, 5) : dayAndTime(time, locale).slice(0, -3);
}

function Legend() {
  const { t } = useTranslation();
  return (
    <span className="legend">
      <span>
        <i /> {t('egress.chart.stored')}
      </span>
      <span>
        <i className="dashed" /> {t('egress.chart.projected')}
      </span>
    </span>
  );
}

function WaitingChart({ target, backlog }: { target: EgressTarget; backlog: Backlog }) {
  const { t, i18n } = useTranslation();
  const now = Date.parse(backlog.at);
  const points = backlogPoints(backlog.waiting, now);
  const max = roundMax(Math.max(...points.map(({ value }) => value), 1));
  const { name } = targetName(target.target);
  const events = t('egress.events', { count: target.queued, events: numberText(target.queued, i18n.language) });
  return (
    <LineChart
      title={t('egress.chart.waiting')}
      label={t('egress.chart.still', { events, name })}
      frame={{ from: Date.parse(backlog.waiting.from), to: now, max }}
      points={points}
      gapMs={backlogGapMs(backlog.waiting)}
      yTicks={[0, max / 2, max].map((value) => ({ value, text: numberText(value, i18n.language) }))}
    />
  );
}
