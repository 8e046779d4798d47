import { Button } from '@mantine/core';
import { useId, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { dayAndTime } from '../format.ts';
import { Icon } from '../icon.tsx';
import { part } from '../part/part.tsx';
import type { PlotProps } from './plot.tsx';
import type { Drawing } from './plot-options.ts';
import { TrendLegend } from './trend-legend.tsx';
import { byUnit, moved, zoomed, type PlacedSeries, type TimeRange, type TrendSeries } from './trend-points.ts';
import { TrendTable } from './trend-table.tsx';
import './trend.css';

const Plot = part(async () => (await import('./plot.tsx')).Plot);

interface Props extends TimeRange {
  /** The content of the drawing in one sentence. */
  label: string;
  /** At most four. */
  series: readonly TrendSeries[];
  /** The baseline of the first series, shaded. */
  band?: { low: number; high: number };
  /** The time of an event. */
  mark?: { at: number; text: string };
  /** Pixels of the drawing. */
  height?: number;
  /** The user selected another range, with the mouse or a button. Absent: the range is fixed. */
  onRange?: (range: TimeRange) => void;
  /** Other controls of the drawing, in one row with the buttons. */
  controls?: ReactNode;
  /** Takes a series out, from the legend. */
  onRemove?: (label: string) => void;
  /** Only the drawing and its legend. */
  plain?: boolean;
}

const HEIGHT = 280;
const STEP = 0.5;

/** Height of a chart below the first one, relative to it; with the times below it, enough for two values. */
const LOWER_SHARE = 0.5;
const LOWER_MIN = 88;

/** Values over time, a drawing for each unit, with a legend that follows the cursor, and as a table for users who cannot see the lines. */
export function TrendChart(props: Props) {
  const { label, series, from, to, band, mark, height = HEIGHT, onRange, onRemove, controls, plain } = props;
  const { t } = useTranslation();
  const [cursor, setCursor] = useState<number | null>(null);
  const [asTable, setAsTable] = useState(false);
  // The cursor moves far more often than new values arrive.
  const drawings = useMemo(
    () =>
      byUnit(series).map((own, index): Drawing => ({
        series: own,
        from,
        to,
        band: index === 0 ? band : undefined,
        mark,
      })),
    [series, from, to, band, mark],
  );
  const syncKey = useId();
  return (
    <div className="trend">
      {!plain && (
        <div className="row wrap">
          {controls}
          {onRange && <RangeButtons range={{ from, to }} onRange={onRange} />}
          <span className="grow" />
          <Button variant="subtle" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? t('data.trend.asChart') : t('data.trend.asTable')}
          </Button>
        </div>
      )}
      {asTable ? (
        <TrendTable label={label} series={series} />
      ) : (
        drawings.map((drawing, index) => (
          <PlotBox
            key={drawing.series[0]?.unit}
            {...{ label: labelOf(label, drawing.series, drawings.length), drawing, onCursor: setCursor, onRange }}
            height={index === 0 ? height : Math.max(LOWER_MIN, Math.round(height * LOWER_SHARE))}
            syncKey={drawings.length > 1 ? syncKey : null}
            withTimes={index === drawings.length - 1}
          />
        ))
      )}
      <TrendLegend {...{ series, cursor, onRemove }} />
      {!plain && onRange && <RangeText from={from} to={to} />}
    </div>
  );
}

/** Stacked charts are distinguished by the names of their lines. */
const labelOf = (label: string, series: readonly PlacedSeries[], count: number) =>
  count === 1 ? label : `${label}: ${series.map((one) => one.label).join(', ')}`;

function PlotBox(props: PlotProps) {
  return (
    <div className="plot-box" style={{ minHeight: props.height }}>
      <Plot {...props} />
    </div>
  );
}

function RangeText({ from, to }: TimeRange) {
  const { t, i18n } = useTranslation();
  const text = (at: number) => dayAndTime(new Date(at), i18n.language);
  return <p className="t3 xs">{t('data.trend.range', { from: text(from), to: text(to) })}</p>;
}

function RangeButtons({ range, onRange }: { range: TimeRange; onRange: (range: TimeRange) => void }) {
  const { t } = useTranslation();
  const buttons = [
    { icon: 'left', name: t('data.trend.earlier'), next: () => moved(range, -STEP) },
    { icon: 'right', name: t('data.trend.later'), next: () => moved(range, STEP) },
    { icon: 'zoomIn', name: t('data.trend.zoomIn'), next: () => zoomed(range, STEP) },
    { icon: 'zoomOut', name: t('data.trend.zoomOut'), next: () => zoomed(range, 1 / STEP) },
  ] as const;
  return buttons.map(({ icon, name, next }) => (
    <Button key={icon} className="square" aria-label={name} title={name} onClick={() => onRange(next())}>
      <Icon name={icon} />
    </Button>
  ));
}
