import { useTranslation } from 'react-i18next';
import type { EgressTarget } from '#common/model/egress.ts';
import { filledShare, type BacklogSample, type EgressView } from '#api/egress-queries.ts';
import { roundMax, type Point } from '#ui/chart-points.ts';
import { clockTime, dayAndTime } from '#ui/format.ts';
import { LineChart } from '#ui/line-chart.tsx';
import { numberText, percentText } from '#ui/quantity.ts';
import { fillsSoon, targetName } from './target-view.ts';

/** While the buffer fills: how full, and until when at this rate. Otherwise: what waits for this target. */
export function BacklogChart({ target, view }: { target: EgressTarget; view: EgressView }) {
  const seconds = view.buffer.fullInSeconds;
  if (!fillsSoon(seconds)) return <WaitingChart target={target} history={view.history} />;
  return <FillingChart view={view} seconds={seconds} />;
}

/** The drawing never spans less, so that the first answers do not leap. */
const SPAN_MS_MIN = 60_000;
/** Room to the right of the moment at which the buffer is full. */
const BEYOND = 1.06;
const PERCENT_TOP = 125;

const lastAt = (history: readonly BacklogSample[]) => history.at(-1)?.at ?? 0;
const firstAt = (history: readonly BacklogSample[]) => history[0]?.at ?? 0;

function FillingChart({ view, seconds }: { view: EgressView; seconds: number }) {
  const { t, i18n } = useTranslation();
  const now = lastAt(view.history);
  const fullAt = now + seconds * 1000;
  const from = Math.min(firstAt(view.history), now - (fullAt - now) * 0.08);
  const share = filledShare(view.buffer);
  const full = momentText(fullAt, now, i18n.language);
  const points: Point[] = view.history.map(({ at, filled }) => ({ at, value: filled * 100 }));
  return (
    <LineChart
      title={t('egress.chart.filled')}
      label={t('egress.chart.growing', { share: percentText(share, i18n.language), time: full })}
      frame={{ from, to: from + (fullAt - from) * BEYOND, max: PERCENT_TOP }}
      points={points}
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

function WaitingChart({ target, history }: { target: EgressTarget; history: readonly BacklogSample[] }) {
  const { t, i18n } = useTranslation();
  const points = history.map(({ at, queued }) => ({ at, value: queued[target.id] ?? 0 }));
  const max = roundMax(Math.max(...points.map(({ value }) => value), 1));
  const now = lastAt(history);
  const { name } = targetName(target.target);
  const events = t('egress.events', { count: target.queued, events: numberText(target.queued, i18n.language) });
  return (
    <LineChart
      title={t('egress.chart.waiting')}
      label={t('egress.chart.still', { events, name })}
      frame={{ from: Math.min(firstAt(history), now - SPAN_MS_MIN), to: now, max }}
      points={points}
      yTicks={[0, max / 2, max].map((value) => ({ value, text: numberText(value, i18n.language) }))}
    />
  );
}
