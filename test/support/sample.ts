import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import { projectFile } from '#common/model/project-file.ts';
import type { ProjectResources } from '#common/model/resources.ts';
import { ROOT } from '#test/paths.ts';

/** A project file of `docs/samples` in the form for the gateway. */
export interface LoadedSample {
  readonly project: string;
  readonly resources: ProjectResources;
  readonly pipelines: readonly PipelineDefinition[];
}

export async function loadSample(name: string): Promise<LoadedSample> {
  const text = await readFile(join(ROOT, 'docs', 'samples', `${name}.json`), 'utf8');
  const { project, connections, queries, tags, scripts, pipelines } = projectFile.parse(JSON.parse(text));
  return { project: project.id, resources: { project: project.id, connections, queries, tags, scripts }, pipelines };
}
