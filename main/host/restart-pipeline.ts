import { SluiceError } from '#common/errors/catalogue.ts';
import type { ClearResources, GatewayLink, ProjectStore, StoredStart } from '../contracts.ts';

interface Parts {
  projects: ProjectStore;
  resources: ClearResources;
  /** What the gateway was asked to run and the store does not know of yet. */
  starting: ReadonlySet<StoredStart>;
  gateway: Pick<GatewayLink, 'change'>;
}

/**
 * Starts the wanted revision of a pipeline again, so that it uses the plugin version that is loaded now. What is wanted
 * does not change. Throws SluiceError `conflict` when it is not running or is being started by somebody else.
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
