import type { TagDefinition, TagSource } from '#common/model/tag.ts';

export type SimulatorSource = Extract<TagSource, { provider: 'simulator' }>;

/** The value of a simulated tag at a time (milliseconds since 1970), after `count` earlier values. */
export function simulated(type: TagDefinition['type'], source: SimulatorSource, time: number, count: number): unknown {
  const part = partOf(source, time, count);
  const value = source.min * (1 - part) + source.max * part;
  switch (type) {
    case 'integer':
      return Math.round(value);
    case 'boolean':
      return part >= 0.5;
    case 'text':
      return String(value);
    case 'number':
    case 'json':
      return value;
  }
}

/** The position between the lowest (0) and the highest value (1). */
function partOf({ shape, period, min, max }: SimulatorSource, time: number, count: number): number {
  const phase = (time / (period * 1000)) % 1;
  switch (shape) {
    case 'sine':
      return (1 + Math.sin(2 * Math.PI * phase)) / 2;
    case 'ramp':
      return phase;
    case 'random':
      return Math.random();
    case 'counter':
      return counted(Math.abs(max - min), count);
  }
}

/** Steps of 1 from the lowest value, starting over after the highest. */
function counted(span: number, count: number): number {
  const steps = Math.floor(span) + 1;
  return span === 0 ? 0 : (count % steps) / span;
}
