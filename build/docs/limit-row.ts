/** One row of docs/reference/limits.md. */
export interface Limit {
  /** The limited quantity, as readers know it. */
  what: string;
  /** Derived from the constant itself by one of the functions below. */
  value: string;
  /** The effect of reaching the limit. */
  atLimit: string;
  /** The setting that changes it; absent: not configurable. */
  setting?: string;
}

export interface LimitArea {
  title: string;
  lead?: string;
  limits: readonly Limit[];
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `67108864` → `64 MiB`; a size that is not a whole number of the next unit stays in the smaller one. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && value % 1024 === 0 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${count(value)} ${UNITS[unit]}`;
}

const SPANS = [
  { ms: 86_400_000, name: 'day' },
  { ms: 3_600_000, name: 'h' },
  { ms: 60_000, name: 'min' },
  { ms: 1000, name: 's' },
] as const;

/** `300_000` → `5 min`: the largest unit with a whole number. A time of 60 s or less stays in seconds. */
export function time(ms: number): string {
  const span = SPANS.find((one) => ms % one.ms === 0 && (ms > one.ms || one.name === 's' || one.name === 'h'));
  if (span === undefined || ms < 1000) return `${count(ms)} ms`;
  const amount = ms / span.ms;
  return `${count(amount)} ${span.name}${span.name === 'day' && amount !== 1 ? 's' : ''}`;
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}
