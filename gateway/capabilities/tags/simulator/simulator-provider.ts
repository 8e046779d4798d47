import type { TagDefinition } from '#common/model/tag.ts';
import { NodeError } from '#sdk';
import type { ProviderParts, TagProvider } from '../contract.ts';
import { simulated, type SimulatorSource } from './shapes.ts';
import { TICK_MS, Wheel } from './wheel.ts';

interface Simulated {
  readonly definition: TagDefinition;
  readonly source: SimulatorSource;
  count: number;
}

/**
 * Simulated tags. Sine and ramp depend only on the time, so that two tags with the same settings have the same value; a
 * counter counts from its lowest value since it was created. The times of a tag are multiples of its interval. One
 * timer serves all tags: intervals are rounded to TICK_MS.
 */
export function createSimulator({ sink }: Pick<ProviderParts, 'sink'>, now: () => number = Date.now): TagProvider {
  const tags = new Map<string, Simulated>();
  const wheel = new Wheel<string>(now, (path, time) => show(path, time));

  function show(path: string, time: number): void {
    const tag = tags.get(path);
    if (tag === undefined) return;
    const value = simulated(tag.definition.type, tag.source, time, tag.count);
    tag.count += 1;
    sink.sample(path, { value, quality: 'good', reason: null, time });
  }

  function put(definition: TagDefinition): void {
    const { path, source } = definition;
    if (source.provider !== 'simulator') return;
    const known = tags.get(path);
    const same = known !== undefined && JSON.stringify(known.source) === JSON.stringify(source);
    tags.set(path, { definition, source, count: same ? known.count : 0 });
    if (same) return;
    wheel.put(path, Math.max(1, Math.round((source.interval * 1000) / TICK_MS)));
    show(path, now());
  }

  return {
    configure(definitions) {
      const wanted = new Set(definitions.map(({ path }) => path));
      for (const path of tags.keys()) {
        if (wanted.has(path)) continue;
        tags.delete(path);
        wheel.remove(path);
      }
      for (const definition of definitions) put(definition);
    },
    write: ({ path }) => Promise.reject(new NodeError('tag_read_only', `${path} cannot be written: it is simulated`)),
    close() {
      wheel.close();
      tags.clear();
      return Promise.resolve();
    },
  };
}
