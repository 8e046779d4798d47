import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  CHART_HEIGHT,
  CHART_WIDTH,
  linePath,
  shareOfHeight,
  shareOfWidth,
  thinned,
  timeTicks,
  type Frame,
  type Point,
} from './chart-points.ts';
import { clockTime, shortDate } from './format.ts';

interface Props {
  title: string;
  /** The content of the drawing for screen readers. */
  label: string;
  frame: Frame;
  points: readonly Point[];
  /** The line breaks where there was no value for longer; absent = 15 s. */
  gapMs?: number;
  /** The projection at the current rate; dashed. */
  projected?: readonly Point[];
  /** A value that must not be reached. */
  limit?: number;
  /** A time at which the chart is divided. */
  mark?: { at: number; text: string };
  /** Directly above the chart, in the colour of an alarm. */
  warning?: { at: number; text: string };
  yTicks: readonly { value: number; text: string }[];
  legend?: ReactNode;
}

const POINTS_MAX = 300;
/** Labels nearer to an edge than this would be cut off. */
const EDGE = 0.05;

/** A line over time. The axes are text outside the drawing, so that they are never stretched with it. */
export function LineChart(props: Props) {
  const { title, label, frame, points, gapMs, projected = [], legend } = props;
  return (
    <div className="chart">
      <div className="row">
        <h3 className="grow">{title}</h3>
        {legend}
      </div>
      <div className="plot">
        <svg
          viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
          preserveAspectRatio="none"
          fill="none"
          {...drawingOf(label)}
        >
          <Grid {...props} />
          <path d={linePath(projected, frame, Infinity)} className="line projected" vectorEffect="non-scaling-stroke" />
          <path
            d={linePath(thinned(points, POINTS_MAX), frame, gapMs)}
            className="line"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <Axes {...props} />
      </div>
    </div>
  );
}

const drawingOf = (label: string) => ({ role: 'img', 'aria-label': label });

const yOf = (value: number, frame: Frame) => (1 - shareOfHeight(value, frame)) * CHART_HEIGHT;

function Grid({ frame, yTicks, limit, mark }: Props) {
  const x = mark && shareOfWidth(mark.at, frame) * CHART_WIDTH;
  return (
    <>
      {yTicks.map(({ value }) => (
        <path
          key={value}
          d={`M0 ${yOf(value, frame)}H${CHART_WIDTH}`}
          className="grid"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {limit !== undefined && (
        <path d={`M0 ${yOf(limit, frame)}H${CHART_WIDTH}`} className="limit" vectorEffect="non-scaling-stroke" />
      )}
      {x !== undefined && <path d={`M${x} 0V${CHART_HEIGHT}`} className="mark" vectorEffect="non-scaling-stroke" />}
    </>
  );
}

const left = (share: number) => ({ left: `calc(var(--axis) + (100% - var(--axis)) * ${share.toFixed(4)})` });
const top = (share: number) => ({ top: `calc(4px + (100% - 28px) * ${(1 - share).toFixed(4)})` });

/** To the left of a late time, to the right of an early one, so that the text stays inside. */
const side = (share: number) => (share > 0.7 ? 'before' : 'after');

function Axes({ frame, yTicks, mark, warning }: Props) {
  const { i18n } = useTranslation();
  const ticks = timeTicks(frame.from, frame.to, -new Date(frame.from).getTimezoneOffset() * 60_000);
  const inside = ticks.at.filter((at) => shareOfWidth(at, frame) > EDGE && shareOfWidth(at, frame) < 1 - EDGE);
  const markAt = mark && shareOfWidth(mark.at, frame);
  const warningAt = warning && shareOfWidth(warning.at, frame);
  return (
    <>
      {yTicks.map(({ value, text }) => (
        <span key={value} className="y" style={top(shareOfHeight(value, frame))}>
          {text}
        </span>
      ))}
      {inside.map((at) => (
        <span key={at} className="x" style={left(shareOfWidth(at, frame))}>
          {tickText(new Date(at), ticks.stepMs, i18n.language)}
        </span>
      ))}
      {mark && markAt !== undefined && (
        <span className={`mark-text ${side(markAt)}`} style={left(markAt)}>
          {mark.text}
        </span>
      )}
      {warning && warningAt !== undefined && (
        <span className={`warning-text ${side(warningAt)}`} style={left(warningAt)}>
          {warning.text}
        </span>
      )}
    </>
  );
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function tickText(time: Date, stepMs: number, locale: string): string {
  if (stepMs >= DAY_MS) return shortDate(time, locale);
  return stepMs < MINUTE_MS ? clockTime(time) : clockTime(time).slice(0, 5);
}
