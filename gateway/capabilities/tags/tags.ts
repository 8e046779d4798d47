/**
 * Tags (docs/spec/nodes.md#tags): live values of a plant, behind the capability broker for runs and as `Tags` for the
 * historian and the host.
 *
 * A value is the last one that its source reported. It reads bad, with null and a reason, before the first sample, when
 * its source is lost, when there is no provider for it, and when a sample does not fit its type (`type_mismatch`). Of
 * two samples, the one that arrived last is used, unless its own time is up to LATE_MS_MAX before the other's
 * (tag-entry.ts).
 * Limits: project-tags.ts, typed-value.ts.
 */
import { setTimeout } from 'node:timers/promises';
import { type DeviceFigures, FIGURES_MAX } from '#common/control/messages.ts';
import type { WriteStop } from '#common/model/write-stop.ts';
import { NO_RESOURCES } from '#common/model/resources.ts';
import type { Logger } from '#common/node/log.ts';
import type { TargetGuard } from '#net/target-guard.ts';
import type { Capability } from '../contract.ts';
import type { TagFigures, Tags } from './contract.ts';
import { removeMemoryFile } from './memory/memory-file.ts';
import { openProvider } from './open-provider.ts';
import { ProjectTags } from './project-tags.ts';
import { refuseStale } from './refuse-stale.ts';
import type { DeviceProviders, TagDisk } from './providers.ts';
import { writeMany } from './write-many.ts';
import { WriteStops } from './write-stops.ts';

export type TagCalls = 'tags.read' | 'tags.readMany' | 'tags.write' | 'tags.writeMany';

export interface TagsParts {
  readonly dataDir: string;
  readonly guard: TargetGuard;
  readonly disk: TagDisk;
  readonly log: Logger;
  /** Providers for devices; memory and simulator always exist. */
  readonly providers: DeviceProviders;
}

interface StoppableWrites {
  /**
   * The stops of all projects. Resolves when the writes that had begun have ended, and after STOP_SETTLES_MS_MAX at the
   * latest: writes that still wait for their device are cancelled then.
   */
  stopWrites(stops: readonly WriteStop[]): Promise<void>;
}

export type LiveTags = Capability<TagCalls> & Tags & TagFigures & StoppableWrites;

/** Well within the 2 s of an acknowledgement. */
export const STOP_SETTLES_MS_MAX = 1_000;

export function createTags(parts: TagsParts): LiveTags {
  const projects = new Map<string, ProjectTags>();
  const closing = new Set<Promise<void>>();
  const stops = new WriteStops();

  function of(project: string): ProjectTags {
    const known = projects.get(project);
    if (known !== undefined) return known;
    const { log } = parts;
    const made = new ProjectTags(
      {
        log,
        closing,
        open: (source, connections, sink) => openProvider(parts, source, connections, { project, sink, log }),
      },
      (entry) => stops.refuse(project, entry),
    );
    projects.set(project, made);
    return made;
  }

  const forget = (project: string): void => {
    if (projects.get(project)?.idle === true) projects.delete(project);
  };
  const read: Tags['read'] = (project, path) => of(project).read(path);
  const readMany: Tags['readMany'] = (project, patterns) => of(project).readMany(patterns);

  return {
    known: (project, path) => projects.get(project)?.known(path) ?? null,
    has: (project, path) => projects.get(project)?.has(path) ?? false,
    read,
    readMany,
    watch(project, patterns, listener) {
      const end = of(project).watch(patterns, listener);
      return () => {
        end();
        forget(project);
      };
    },
    calls: {
      'tags.read'({ path, maxAge }, { project }) {
        const value = read(project, path);
        refuseStale([value], maxAge, (stale) => of(project).deviceOf(stale));
        return value;
      },
      'tags.readMany'({ paths, maxAge }, { project }) {
        const values = readMany(project, paths);
        refuseStale(values, maxAge, (stale) => of(project).deviceOf(stale));
        return values;
      },
      async 'tags.write'({ path, value }, { project }, signal) {
        await of(project).write(path, value, signal);
        return null;
      },
      async 'tags.writeMany'({ writes }, { project }, signal) {
        await writeMany(of(project), writes, signal);
        return null;
      },
    },
    rehearsals: {
      'tags.write'({ path, value }, { project }) {
        of(project).rehearseWrite(path, value);
        return null;
      },
      'tags.writeMany'({ writes }, { project }) {
        for (const { path, value } of writes) of(project).rehearseWrite(path, value);
        return null;
      },
    },
    async stopWrites(given) {
      stops.set(given);
      const stopped = new Set(given.map(({ project }) => project));
      const settled = [...stopped].map((project) => projects.get(project)?.settled() ?? Promise.resolve());
      await Promise.race([Promise.all(settled), setTimeout(STOP_SETTLES_MS_MAX, undefined, { ref: false })]);
      for (const project of stopped) projects.get(project)?.cancelStopped();
    },
    devices() {
      const all: DeviceFigures[] = [];
      for (const [project, tags] of projects)
        for (const device of tags.devices()) if (all.length < FIGURES_MAX) all.push({ project, ...device });
      return all;
    },
    configure(project, resources) {
      of(project).configure(resources ?? NO_RESOURCES(project));
      if (resources === null) removeMemoryFile(parts.dataDir, project);
      forget(project);
    },
    async close() {
      for (const project of projects.values()) project.close();
      await Promise.all(closing);
    },
  };
}
