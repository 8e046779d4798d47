import uPlot from 'uplot';
import { clockTime, shortDate } from '../format.ts';
import { measureText } from '../quantity.ts';
import {
  dashOf,
  extremes,
  heightFromZero,
  lastValue,
  spreadLabels,
  type PlacedSeries,
  type TimeRange,
} from './trend-points.ts';

/** The content of one drawing. All its series have the same unit. */
export interface Drawing extends TimeRange {
  series: readonly PlacedSeries[];
  /** The baseline, shaded in the background. */
  band: { low: number; high: number } | undefined;
  /** A time of an event, as a vertical line. */
  mark: { at: number; text: string } | undefined;
}

/** Read from the page, because a canvas cannot use CSS variables. */
export interface Colours {
  lines: readonly string[];
  band: string;
  grid: string;
  text: string;
  label: string;
}

export interface PlotSetting {
  colours: Colours;
  locale: string;
  height: number;
  /** Stacked charts share their cursor; null: there is only one. */
  syncKey: string | null;
  /** Only the lowest chart shows the times. */
  withTimes: boolean;
  /** Read again with each rendering, so that new values need no new chart. */
  drawing: () => Drawing;
  onCursor: (at: number | null) => void;
  /** Absent: nothing can be selected. */
  onRange: ((range: TimeRange) => void) | undefined;
}

const FONT = "14px 'IBM Plex Sans Variable', system-ui, sans-serif";
/** The value axes of stacked charts have the same width, so that their times are aligned. */
const VALUE_AXIS = 64;
/** Room for the last value, to the right of its dot. */
const END_ROOM = 72;
const SCALE = 'y';

export function plotOptions(setting: PlotSetting, width: number): uPlot.Options {
  const { drawing, height } = setting;
  const { series } = drawing();
  return {
    width,
    height,
    ms: 1,
    legend: { show: false },
    padding: [8, END_ROOM, setting.withTimes ? 0 : 8, 0],
    cursor: {
      y: false,
      drag: { x: setting.onRange !== undefined, y: false, setScale: false },
      points: { show: false },
      ...(setting.syncKey !== null && { sync: { key: setting.syncKey } }),
    },
    select: { show: setting.onRange !== undefined, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: true, range: () => [drawing().from, drawing().to] },
      [SCALE]: { range: () => heightOf(drawing()) },
    },
    axes: [timeAxis(setting), valueAxis(setting)],
    series: [{}, ...series.map((one) => (one.bars === true ? bars(one, setting) : line(one, setting)))],
    hooks: {
      drawAxes: [(plot) => drawBehind(plot, setting)],
      draw: [(plot) => drawEnds(plot, setting)],
      setCursor: [(plot) => setting.onCursor(cursorTime(plot))],
      setSelect: [(plot) => selected(plot, setting)],
    },
  };
}

const ROOM = 0.1;

function heightOf({ series, band }: Drawing): [number, number] {
  const found = extremes(series) ?? { low: 0, high: 1 };
  const low = Math.min(found.low, band?.low ?? Infinity);
  const high = Math.max(found.high, band?.high ?? -Infinity);
  if (series.some(({ fromZero }) => fromZero === true)) return heightFromZero(high);
  const [from, to] = uPlot.rangeNum(low, high, ROOM, true);
  return [from ?? low, to ?? high];
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const TICK_SPACE = 96;

function timeAxis({ colours, locale, withTimes }: PlotSetting): uPlot.Axis {
  return {
    ...axisLook(colours),
    space: TICK_SPACE,
    size: withTimes ? 30 : 0,
    values: (_plot, splits, _axis, _space, step) =>
      splits.map((at) => (withTimes ? tickText(new Date(at), step, locale) : '')),
  };
}

function tickText(time: Date, stepMs: number, locale: string): string {
  if (stepMs >= DAY_MS || (time.getHours() === 0 && time.getMinutes() === 0 && time.getSeconds() === 0))
    return shortDate(time, locale);
  return stepMs < MINUTE_MS ? clockTime(time) : clockTime(time).slice(0, 5);
}

function valueAxis({ colours, locale, syncKey }: PlotSetting): uPlot.Axis {
  return {
    ...axisLook(colours),
    scale: SCALE,
    size: (_plot, texts) => {
      const needed = Math.max(36, Math.max(0, ...(texts ?? []).map((text) => text.length)) * 8 + 16);
      return syncKey === null ? needed : Math.max(VALUE_AXIS, needed);
    },
    values: (_plot, splits) => splits.map((value) => value.toLocaleString(locale, { maximumFractionDigits: 6 })),
  };
}

const axisLook = (colours: Colours): uPlot.Axis => ({
  font: FONT,
  labelFont: FONT,
  stroke: colours.text,
  grid: { stroke: colours.grid, width: 1 },
  ticks: { stroke: colours.grid, width: 1, size: 4 },
});

function line(series: PlacedSeries, { colours }: PlotSetting): uPlot.Series {
  return {
    scale: SCALE,
    stroke: colourOf(colours, series.place),
    width: 2,
    dash: [...dashOf(series, series.place)],
    points: { show: false },
    paths: stairs,
  };
}

function bars(series: PlacedSeries, { colours }: PlotSetting): uPlot.Series {
  return { scale: SCALE, fill: colourOf(colours, series.place), width: 0, points: { show: false }, paths: columns };
}

const colourOf = (colours: Colours, index: number) => colours.lines[index % colours.lines.length] ?? colours.text;

/** A value holds until the next one; null interrupts the line. */
const stairs: uPlot.Series.PathBuilder = (plot, index) => {
  const stroke = new Path2D();
  const times = plot.data[0];
  const values = plot.data[index] ?? [];
  let drawn = false;
  for (const [place, time] of times.entries()) {
    const value = values[place] ?? null;
    if (value === null) {
      drawn = false;
      continue;
    }
    const y = plot.valToPos(value, SCALE, true);
    const x = plot.valToPos(time, 'x', true);
    if (drawn) stroke.lineTo(x, y);
    else stroke.moveTo(x, y);
    const until = times[place + 1];
    if (until !== undefined) stroke.lineTo(plot.valToPos(until, 'x', true), y);
    drawn = true;
  }
  return { stroke };
};

/** A column for each step. Unknown values and zero have no column. */
const columns: uPlot.Series.PathBuilder = (plot, index) => {
  const fill = new Path2D();
  const times = plot.data[0];
  const values = plot.data[index] ?? [];
  const floor = plot.valToPos(0, SCALE, true);
  for (const [place, time] of times.entries()) {
    const value = values[place] ?? null;
    if (value === null || value <= 0) continue;
    const x = plot.valToPos(time, 'x', true);
    const until = times[place + 1];
    const width = until === undefined ? BAR_PIXELS_MIN : plot.valToPos(until, 'x', true) - x - 1;
    const y = plot.valToPos(value, SCALE, true);
    fill.rect(x, y, Math.max(BAR_PIXELS_MIN, width), floor - y);
  }
  return { fill };
};

const BAR_PIXELS_MIN = 2;

/** The baseline, and the area between the minimum and maximum of each interval. */
function drawBehind(plot: uPlot, { drawing, colours }: PlotSetting): void {
  const { series, band, mark } = drawing();
  inside(plot, (context) => {
    context.fillStyle = colours.band;
    if (band !== undefined) {
      const top = plot.valToPos(band.high, SCALE, true);
      const bottom = plot.valToPos(band.low, SCALE, true);
      context.fillRect(plot.bbox.left, top, plot.bbox.width, bottom - top);
    }
    for (const { spans = [] } of series) {
      for (const [place, [at, low, high]] of spans.entries()) {
        if (low === null || high === null) continue;
        const left = plot.valToPos(at, 'x', true);
        const right = plot.valToPos(spans[place + 1]?.[0] ?? at, 'x', true);
        const top = plot.valToPos(high, SCALE, true);
        context.fillRect(left, top, Math.max(1, right - left), plot.valToPos(low, SCALE, true) - top);
      }
    }
    if (mark !== undefined) drawMark(plot, mark, context, colours);
  });
}

const MARK_GAP = 6;

/** Its text is to the right of it, or to the left if it would be cut off. */
function drawMark(
  plot: uPlot,
  { at, text }: { at: number; text: string },
  context: CanvasRenderingContext2D,
  colours: Colours,
): void {
  const x = Math.round(plot.valToPos(at, 'x', true));
  const { left, top, width, height } = plot.bbox;
  context.fillStyle = colours.text;
  context.fillRect(x, top, devicePixelRatio, height);
  context.font = scaledFont();
  context.textBaseline = 'top';
  const gap = MARK_GAP * devicePixelRatio;
  const fits = x + gap + context.measureText(text).width <= left + width;
  context.textAlign = fits ? 'left' : 'right';
  context.fillText(text, fits ? x + gap : x - gap, top);
}

const scaledFont = () => FONT.replace('14px', `${14 * devicePixelRatio}px`);

const DOT_RADIUS = 4;
const LABEL_HEIGHT = 17;

/** A dot at each last value, and the value beside it. A series with an unknown last value has none. */
function drawEnds(plot: uPlot, { drawing, colours, locale }: PlotSetting): void {
  const ends = drawing().series.flatMap(({ points, place, bars: asBars }) => {
    const value = lastValue(points);
    const at = points.at(-1)?.[0];
    if (value === null || at === undefined || asBars === true || at < drawing().from || at > drawing().to) return [];
    return [{ value, place, x: plot.valToPos(at, 'x', true), y: plot.valToPos(value, SCALE, true) }];
  });
  const ratio = devicePixelRatio;
  const labels = spreadLabels(
    ends.map(({ y }) => y),
    LABEL_HEIGHT * ratio,
  );
  const { ctx } = plot;
  ctx.save();
  ctx.font = scaledFont();
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  for (const [index, { value, place, x, y }] of ends.entries()) {
    ctx.fillStyle = colourOf(colours, place);
    ctx.beginPath();
    ctx.arc(x, y, DOT_RADIUS * ratio, 0, 2 * Math.PI);
    ctx.fill();
    ctx.fillStyle = colours.label;
    ctx.fillText(measureText(value, locale), x + 2 * DOT_RADIUS * ratio, labels[index] ?? y);
  }
  ctx.restore();
}

function inside({ ctx, bbox }: uPlot, draw: (context: CanvasRenderingContext2D) => void): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw(ctx);
  ctx.restore();
}

function cursorTime(plot: uPlot): number | null {
  const left = plot.cursor.left ?? -1;
  return left < 0 ? null : plot.posToVal(left, 'x');
}

/** A drag over fewer pixels is a click. */
const DRAG_PIXELS_MIN = 8;

function selected(plot: uPlot, { onRange }: PlotSetting): void {
  const { left, width } = plot.select;
  if (width < DRAG_PIXELS_MIN) return;
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onRange?.({ from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x') });
}
