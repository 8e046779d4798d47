import type { ProjectStore, StoredPipeline } from '../contracts.ts';

/**
 * Stops that are in effect but not in the file yet, applied on top of the store: reads show the pipeline as stopped.
 * Anything that is saved for a pipeline replaces its held stop.
 */
export function withHeldStops(
  store: Omit<ProjectStore, 'holdStopped' | 'isStopHeld' | 'saveStopped' | 'releaseStopped'>,
): ProjectStore {
  const held = new Set<string>();
  const isHeld = (project: string, id: string): boolean => held.has(idOf(project, id));
  const shown = (pipeline: StoredPipeline): StoredPipeline =>
    isHeld(pipeline.project, pipeline.definition.id)
      ? { ...pipeline, wantedRevision: null, wantedSince: null }
      : pipeline;
  return {
    ...store,
    holdStopped: (project, id) => void held.add(idOf(project, id)),
    isStopHeld: isHeld,
    saveStopped(project, id) {
      if (!isHeld(project, id)) return;
      store.setWanted(project, id, null);
      held.delete(idOf(project, id));
    },
    releaseStopped: (project, id) => void held.delete(idOf(project, id)),
    pipelines: (project) => store.pipelines(project).map(shown),
    pipeline(project, id) {
      const found = store.pipeline(project, id);
      return found && shown(found);
    },
    stamps: () =>
      store.stamps().map((stamp) => (isHeld(stamp.project, stamp.id) ? { ...stamp, wantedRevision: null } : stamp)),
    wanted: () => store.wanted().filter(({ project, definition }) => !isHeld(project, definition.id)),
    stopped: () => [
      ...store.stopped(),
      ...store
        .wanted()
        .filter(({ project, definition }) => isHeld(project, definition.id))
        .map(({ project, definition }) => ({ project, definition })),
    ],
    setWanted(project, id, revision) {
      store.setWanted(project, id, revision);
      held.delete(idOf(project, id));
    },
    deletePipeline(project, id) {
      store.deletePipeline(project, id);
      held.delete(idOf(project, id));
    },
  };
}

function idOf(project: string, pipeline: string): string {
  return `${project}/${pipeline}`;
}
