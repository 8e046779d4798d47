/** The arithmetic of a line chart over time: pure functions, so that it can be tested without drawing. */
export interface Point {
  /** Milliseconds since the epoch. */
  at: number;
  value: number;
}

/** The extent of the drawing: times in ms, values from 0 to `max`. */
export interface Frame {
  from: number;
  to: number;
  max: number;
}

/** Units of the drawing; it is stretched to its container, but its lines are not. */
export const CHART_WIDTH = 900;
export const CHART_HEIGHT = 150;
/** After a gap longer than this the line is interrupted. */
const GAP_MS = 15_000;

export function shareOfWidth(at: number, { from, to }: Frame): number {
  return to <= from ? 0 : Math.min(1, Math.max(0, (at - from) / (to - from)));
}

export function shareOfHeight(value: number, { max }: Frame): number {
  return max <= 0 ? 0 : Math.min(1, Math.max(0, value / max));
}

const place = (point: Point, frame: Frame) =>
  `${(shareOfWidth(point.at, frame) * CHART_WIDTH).toFixed(1)} ${((1 - shareOfHeight(point.value, frame)) * CHART_HEIGHT).toFixed(1)}`;

/** The `d` of an SVG path; a single point is drawn as a short line to the right. */
export function linePath(points: readonly Point[], frame: Frame, gapMs = GAP_MS): string {
  const first = points[0];
  if (first === undefined) return '';
  if (points.length === 1) return `M${place(first, frame)}h2`;
  return points
    .map((point, index) => {
      const before = points[index - 1];
      const starts = before === undefined || point.at - before.at > gapMs;
      return `${starts ? 'M' : 'L'}${place(point, frame)}`;
    })
    .join('');
}

/** The next of 2, 4, 10, 20, 40, 100 …: halves of these are whole numbers. */
export function roundMax(value: number): number {
  for (let decade = 1; decade <= 1e12; decade *= 10)
    for (const step of [2, 4, 10]) if (value <= step * decade) return step * decade;
  return value;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const STEPS_MS = [
  ...[5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 30, 90, 365].map((days) => days * DAY_MS),
];
const TICKS_MAX = 5;

export interface TimeTicks {
  stepMs: number;
  at: number[];
}

/** Round times of this range, at most five. `offsetMs`: local time minus UTC. */
export function timeTicks(from: number, to: number, offsetMs: number): TimeTicks {
  const stepMs = STEPS_MS.find((step) => (to - from) / step <= TICKS_MAX) ?? 365 * DAY_MS;
  const at: number[] = [];
  for (let tick = Math.ceil((from + offsetMs) / stepMs) * stepMs - offsetMs; tick <= to; tick += stepMs) {
    if (at.length === TICKS_MAX) break;
    at.push(tick);
  }
  return { stepMs, at };
}

/** At most `max` of the points, including the first and the last. */
export function thinned(points: readonly Point[], max: number): Point[] {
  if (points.length <= max) return [...points];
  const stride = (points.length - 1) / (max - 1);
  return Array.from({ length: max }, (_, index) => points[Math.round(index * stride)]).filter(
    (point) => point !== undefined,
  );
}
