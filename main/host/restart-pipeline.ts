import { SluiceError } from '#common/errors/catalogue.ts';
import type { ClearResources, GatewayLink, ProjectStore, StoredStart } from '../contracts.ts';

interface Parts {
  projects: ProjectStore;
  resources: ClearResources;
  /** Requested starts that are not stored yet. */
  starting: ReadonlySet<StoredStart>;
  gateway: Pick<GatewayLink, 'change'>;
}

/**
 * Restarts the running revision of a pipeline, so that it uses the currently loaded plugin version. The desired state
 * does not change. Throws SluiceError `conflict` if the pipeline is not running or is already being started.
 */
export async function restartPipeline(
  { projects, resources, starting, gateway }: Parts,
  project: string,
  pipeline: string,
): Promise<void> {
  const revision = projects.pipeline(project, pipeline)?.wantedRevision ?? null;
  const wanted = revision === null ? null : projects.revision(project, pipeline, revision);
  if (wanted === null) throw new SluiceError('conflict', `The pipeline ${pipeline.slice(0, 64)} is not running.`);
  if ([...starting].some((start) => start.project === project && start.definition.id === pipeline))
    throw new SluiceError('conflict', `The pipeline ${pipeline.slice(0, 64)} is being started by somebody else.`);
  await gateway.change({ kind: 'start', start: resources.pipeline({ project, ...wanted }) });
}
