import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { libraryScript } from '#common/model/library-script.ts';
import { namedQuery } from '#common/model/named-query.ts';
import { pipelineDefinition, type PipelineDefinition } from '#common/model/pipeline.ts';
import type { ProjectResources } from '#common/model/resources.ts';
import { tagDefinition } from '#common/model/tag.ts';
import type { Scope } from '#common/scopes.ts';
import { ROOT } from '#test/paths.ts';

/** A sample of `docs/samples` as the gateway gets it. */
export interface LoadedSample {
  readonly project: string;
  readonly resources: ProjectResources;
  readonly pipelines: readonly PipelineDefinition[];
  readonly keys: readonly { readonly name: string; readonly scopes: Scope[] }[];
}

interface SampleFile {
  project: { id: string };
  keys: { name: string; scopes: Scope[] }[];
  queries?: unknown[];
  tags?: unknown[];
  scripts?: unknown[];
  pipelines: { definition: unknown }[];
}

export async function loadSample(name: string): Promise<LoadedSample> {
  const file: SampleFile = JSON.parse(await readFile(join(ROOT, 'docs', 'samples', `${name}.json`), 'utf8'));
  const project = file.project.id;
  return {
    project,
    keys: file.keys,
    resources: {
      project,
      connections: [],
      queries: (file.queries ?? []).map((query) => namedQuery.parse(query)),
      tags: (file.tags ?? []).map((tag) => tagDefinition.parse(tag)),
      scripts: (file.scripts ?? []).map((script) => libraryScript.parse(script)),
    },
    pipelines: file.pipelines.map(({ definition }) => pipelineDefinition.parse(definition)),
  };
}
