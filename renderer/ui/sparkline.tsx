import type { Series } from '#common/model/traffic.ts';
import './sparkline.css';

const WIDTH = 110;
const HEIGHT = 28;
const FLOOR = 26;

/** A small chart without axes, beside the figure of its last value. Decoration: the figure has the value. */
export function Sparkline({ series }: { series: Series }) {
  const { values } = series;
  const top = Math.max(...values.map((value) => value ?? 0)) || 1;
  const step = WIDTH / Math.max(1, values.length - 1);
  const parts = runsOf(values).map((run) =>
    run.map(({ index, value }) => `${(index * step).toFixed(1)} ${(FLOOR - (value / top) * (FLOOR - 2)).toFixed(1)}`),
  );
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {parts.map((points) => (
        <g key={points[0]}>
          <path className="area" d={`M${points[0]} L${points.join(' L')} V${HEIGHT} H${firstX(points)} Z`} />
          <path className="line" d={`M${points.join(' L')}`} vectorEffect="non-scaling-stroke" />
        </g>
      ))}
    </svg>
  );
}

const firstX = (points: readonly string[]) => points[0]?.split(' ')[0] ?? '0';

/** Segments without a gap. */
function runsOf(values: readonly (number | null)[]): { index: number; value: number }[][] {
  const runs: { index: number; value: number }[][] = [];
  let open = false;
  for (const [index, value] of values.entries()) {
    if (value !== null && open) runs.at(-1)?.push({ index, value });
    else if (value !== null) runs.push([{ index, value }]);
    open = value !== null;
  }
  return runs;
}
