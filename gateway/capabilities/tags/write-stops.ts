import { isOver, type WriteStop } from '#common/model/write-stop.ts';
import { WriteStoppedError } from '#sdk';
import type { TagEntry } from './tag-entry.ts';

/**
 * Stops of writes (docs/spec/nodes.md#write-stop): of a project or a device by a user, and of a project by its tags with
 * `stopsWrites`, of which one that is not good counts as true.
 */
export class WriteStops {
  #stops: readonly WriteStop[] = [];

  /** Those of all projects. */
  set(stops: readonly WriteStop[]): void {
    this.#stops = stops;
  }

  /** Throws WriteStoppedError. A stop that has ended does not count. */
  refuse(project: string, { path, definition: { source } }: TagEntry, nowMs = Date.now()): void {
    if (this.#stops.length === 0) return;
    const device = 'connection' in source ? source.connection : null;
    const stop = this.#stops.find(
      (one) => one.project === project && (one.device === null || one.device === device) && !isOver(one, nowMs),
    );
    if (stop === undefined) return;
    const { reason, until } = stop;
    const what =
      stop.device === null
        ? ({ of: 'project', name: project } as const)
        : ({ of: 'device', name: stop.device } as const);
    throw new WriteStoppedError(path, { ...what, reason, until });
  }
}

/** Throws WriteStoppedError while one of the tags stops the writes. The tags themselves can be written. */
export function refuseByTag({ path, definition }: TagEntry, stoppers: readonly TagEntry[]): void {
  if (definition.stopsWrites === true) return;
  for (const { path: name, value } of stoppers) {
    if (value.quality === 'good' && value.value !== true) continue;
    const reason = value.quality === 'good' ? 'it is true' : `its quality is ${value.quality} (${value.reason ?? ''})`;
    throw new WriteStoppedError(path, { of: 'tag', name, reason, until: null });
  }
}
