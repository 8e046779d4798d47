import type { DatabaseSync } from 'node:sqlite';
import { isOver, longer, type WriteStop } from '#common/model/write-stop.ts';

/**
 * Stops of writes, one per project and device, stored with the projects and removed with them. A held stop is in force
 * without the disk; together with a stored one, the later end counts.
 */
export interface WriteStops {
  /** Those that are in force, of all projects or of one. */
  list(project?: string): WriteStop[];
  hold(stop: WriteStop): void;
  isHeld(stop: WriteStop): boolean;
  release(stop: WriteStop): void;
  /** Saves a stop, which is then no longer held. Does nothing if the project was deleted. Throws if it cannot be written. */
  put(stop: WriteStop): void;
  /** Throws if it cannot be written. Held stops remain. */
  end(project: string, device: string | null): void;
}

type Subject = Pick<WriteStop, 'project' | 'device'>;

const keyOf = ({ project, device }: Subject): string => `${project}/${device ?? ''}`;

export function createWriteStops(db: DatabaseSync, now: () => number): WriteStops {
  const held = new Map<string, WriteStop>();

  const stored = (project: string | null = null): WriteStop[] =>
    db
      .prepare('SELECT stop FROM write_stops WHERE ?1 IS NULL OR project = ?1 ORDER BY project, device')
      .all(project)
      .map(({ stop }) => JSON.parse(String(stop)) as WriteStop);

  return {
    list(project) {
      const all = new Map(stored(project ?? null).map((stop) => [keyOf(stop), stop]));
      for (const [key, stop] of held)
        if (project === undefined || stop.project === project) all.set(key, longer(stop, all.get(key)));
      return [...all.values()].filter((stop) => !isOver(stop, now()));
    },
    hold: (stop) => void held.set(keyOf(stop), longer(stop, held.get(keyOf(stop)))),
    isHeld: (stop) => held.has(keyOf(stop)),
    release: (stop) => void held.delete(keyOf(stop)),
    put(stop) {
      const before = stored(stop.project).find((one) => one.device === stop.device && !isOver(one, now()));
      const text = JSON.stringify(longer(stop, before));
      db.prepare(
        `INSERT OR REPLACE INTO write_stops (project, device, stop)
           SELECT id, ?2, ?3 FROM projects WHERE id = ?1`,
      ).run(stop.project, stop.device ?? '', text);
      held.delete(keyOf(stop));
    },
    end: (project, device) =>
      void db.prepare('DELETE FROM write_stops WHERE project = ? AND device = ?').run(project, device ?? ''),
  };
}
