/** Prometheus text format 0.0.4. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export type Labels = Record<string, string>;
export type Sample = [labels: Labels, value: number];

export interface HistogramSample {
  labels: Labels;
  /** Counts for each bound of the family, plus one for larger values; not cumulative. */
  buckets: readonly number[];
  sum: number;
}

/** The lines of one family; empty without samples. */
export function metric(name: string, type: 'gauge' | 'counter', help: string, samples: Sample[]): string[] {
  if (samples.length === 0) return [];
  return [...head(name, type, help), ...samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}`)];
}

/** `bounds`: the upper bound of each bucket, ascending. */
export function histogram(
  name: string,
  help: string,
  bounds: readonly number[],
  samples: readonly HistogramSample[],
): string[] {
  if (samples.length === 0) return [];
  return [...head(name, 'histogram', help), ...samples.flatMap((sample) => histogramLines(name, bounds, sample))];
}

function head(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function histogramLines(name: string, bounds: readonly number[], { labels, buckets, sum }: HistogramSample): string[] {
  let count = 0;
  const lines = [...bounds.map(String), '+Inf'].map((le, at) => {
    count += buckets[at] ?? 0;
    return `${name}_bucket${labelText({ ...labels, le })} ${count}`;
  });
  return [...lines, `${name}_sum${labelText(labels)} ${sum}`, `${name}_count${labelText(labels)} ${count}`];
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
