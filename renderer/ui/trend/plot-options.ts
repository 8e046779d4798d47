import uPlot from 'uplot';
import { clockTime, shortDate } from '../format.ts';
import { dashOf, extremes, lastValue, type TimeRange, type TrendSeries } from './trend-points.ts';

/** The content of one drawing. */
export interface Drawing extends TimeRange {
  series: readonly TrendSeries[];
  /** The usual range, shaded behind everything. */
  band: { low: number; high: number } | undefined;
}

/** Read from the page, since a canvas knows no variables. */
export interface Colours {
  lines: readonly string[];
  band: string;
  grid: string;
  text: string;
}

export interface PlotSetting {
  colours: Colours;
  locale: string;
  height: number;
  /** Read again with each drawing, so that new values need no new chart. */
  drawing: () => Drawing;
  onCursor: (at: number | null) => void;
  /** Absent: nothing can be selected. */
  onRange: ((range: TimeRange) => void) | undefined;
}

const FONT = "14px 'IBM Plex Sans Variable', system-ui, sans-serif";
const LAST_DASH = [2, 4];

export function plotOptions(setting: PlotSetting, width: number): uPlot.Options {
  const { drawing, height } = setting;
  const { series } = drawing();
  const units = unitsOf(series);
  return {
    width,
    height,
    ms: 1,
    legend: { show: false },
    padding: [8, units.length > 1 ? 0 : 16, 0, 0],
    cursor: {
      y: false,
      drag: { x: setting.onRange !== undefined, y: false, setScale: false },
      points: { show: false },
    },
    select: { show: setting.onRange !== undefined, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: true, range: () => [drawing().from, drawing().to] },
      ...Object.fromEntries(units.map((unit) => [scaleOf(unit), { range: () => heightOf(unit, drawing()) }])),
    },
    axes: [timeAxis(setting), ...units.map((unit, index) => valueAxis(unit, index, setting))],
    series: [{}, ...series.map((one, index) => line(one, index, setting))],
    hooks: {
      drawAxes: [(plot) => drawBehind(plot, setting)],
      draw: [(plot) => drawLast(plot, setting)],
      setCursor: [(plot) => setting.onCursor(cursorTime(plot))],
      setSelect: [(plot) => selected(plot, setting)],
    },
  };
}

/** Each unit has a scale of its own, in the order of the series. */
const unitsOf = (series: readonly TrendSeries[]) => [...new Set(series.map(({ unit }) => unit))];
const scaleOf = (unit: string) => `y ${unit}`;

const ROOM = 0.1;

function heightOf(unit: string, { series, band }: Drawing): [number, number] {
  const own = series.filter((one) => one.unit === unit);
  const found = extremes(own) ?? { low: 0, high: 1 };
  const low = Math.min(found.low, band?.low ?? Infinity);
  const high = Math.max(found.high, band?.high ?? -Infinity);
  const [from, to] = uPlot.rangeNum(low, high, ROOM, true);
  return [from ?? low, to ?? high];
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const TICK_SPACE = 96;

function timeAxis({ colours, locale }: PlotSetting): uPlot.Axis {
  return {
    ...axisLook(colours),
    space: TICK_SPACE,
    size: 30,
    values: (_plot, splits, _axis, _space, step) => splits.map((at) => tickText(new Date(at), step, locale)),
  };
}

function tickText(time: Date, stepMs: number, locale: string): string {
  if (stepMs >= DAY_MS || (time.getHours() === 0 && time.getMinutes() === 0 && time.getSeconds() === 0))
    return shortDate(time, locale);
  return stepMs < MINUTE_MS ? clockTime(time) : clockTime(time).slice(0, 5);
}

function valueAxis(unit: string, index: number, { colours, locale }: PlotSetting): uPlot.Axis {
  const first = index === 0;
  return {
    ...axisLook(colours),
    scale: scaleOf(unit),
    side: index % 2 === 0 ? 3 : 1,
    size: (_plot, texts) => Math.max(36, Math.max(0, ...(texts ?? []).map((text) => text.length)) * 8 + 16),
    grid: { show: first, stroke: colours.grid, width: 1 },
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

function line(series: TrendSeries, index: number, { colours }: PlotSetting): uPlot.Series {
  return {
    scale: scaleOf(series.unit),
    stroke: colourOf(colours, index),
    width: 2,
    dash: [...dashOf(series, index)],
    points: { show: false },
    paths: stairs,
  };
}

const colourOf = (colours: Colours, index: number) => colours.lines[index % colours.lines.length] ?? colours.text;

/** A value holds until the next one; null breaks the line. */
const stairs: uPlot.Series.PathBuilder = (plot, index) => {
  const stroke = new Path2D();
  const times = plot.data[0];
  const values = plot.data[index] ?? [];
  const scale = plot.series[index]?.scale ?? 'y';
  let drawn = false;
  for (const [place, time] of times.entries()) {
    const value = values[place] ?? null;
    if (value === null) {
      drawn = false;
      continue;
    }
    const y = plot.valToPos(value, scale, true);
    const x = plot.valToPos(time, 'x', true);
    if (drawn) stroke.lineTo(x, y);
    else stroke.moveTo(x, y);
    const until = times[place + 1];
    if (until !== undefined) stroke.lineTo(plot.valToPos(until, 'x', true), y);
    drawn = true;
  }
  return { stroke };
};

/** The usual range, and the area between the least and the greatest value of each interval. */
function drawBehind(plot: uPlot, { drawing, colours }: PlotSetting): void {
  const { series, band } = drawing();
  inside(plot, (context) => {
    context.fillStyle = colours.band;
    const first = series[0];
    if (band !== undefined && first !== undefined) {
      const top = plot.valToPos(band.high, scaleOf(first.unit), true);
      const bottom = plot.valToPos(band.low, scaleOf(first.unit), true);
      context.fillRect(plot.bbox.left, top, plot.bbox.width, bottom - top);
    }
    for (const { spans = [], unit } of series) {
      for (const [place, [at, low, high]] of spans.entries()) {
        if (low === null || high === null) continue;
        const left = plot.valToPos(at, 'x', true);
        const right = plot.valToPos(spans[place + 1]?.[0] ?? at, 'x', true);
        const top = plot.valToPos(high, scaleOf(unit), true);
        context.fillRect(left, top, Math.max(1, right - left), plot.valToPos(low, scaleOf(unit), true) - top);
      }
    }
  });
}

/** A fine line at each last value, so that it can be read off the axis. */
function drawLast(plot: uPlot, { drawing, colours }: PlotSetting): void {
  inside(plot, (context) => {
    context.setLineDash(LAST_DASH.map((length) => length * devicePixelRatio));
    context.lineWidth = devicePixelRatio;
    for (const [index, { points, unit }] of drawing().series.entries()) {
      const value = lastValue(points);
      if (value === null) continue;
      const y = plot.valToPos(value, scaleOf(unit), true);
      context.strokeStyle = colourOf(colours, index);
      context.beginPath();
      context.moveTo(plot.bbox.left, y);
      context.lineTo(plot.bbox.left + plot.bbox.width, y);
      context.stroke();
    }
  });
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

/** A drag of fewer pixels is a click. */
const DRAG_PIXELS_MIN = 8;

function selected(plot: uPlot, { onRange }: PlotSetting): void {
  const { left, width } = plot.select;
  if (width < DRAG_PIXELS_MIN) return;
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onRange?.({ from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x') });
}
