import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { scopeList } from '#common/model/fields.ts';
import { displayName, projectId } from '#common/model/ids.ts';
import { libraryScript } from '#common/model/library-script.ts';
import { namedQuery } from '#common/model/named-query.ts';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import { tagDefinition } from '#common/model/tag.ts';

/** A project with everything that it has, as in `docs/samples/`. No connections: those need somebody's servers. */
const sampleSchema = z.strictObject({
  project: z.strictObject({ id: projectId, name: displayName }),
  keys: z.array(z.strictObject({ name: displayName, scopes: scopeList })),
  queries: z.array(namedQuery).default([]),
  tags: z.array(tagDefinition).default([]),
  scripts: z.array(libraryScript).default([]),
  pipelines: z.array(z.strictObject({ start: z.boolean(), definition: pipelineDefinition })),
});

export type Sample = z.infer<typeof sampleSchema>;

export function readSample(file: string | URL): Sample {
  return sampleSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
