import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { scopeList } from '#common/model/fields.ts';
import { displayName, projectId } from '#common/model/ids.ts';
import { pipelineDefinition } from '#common/model/pipeline.ts';

/** A project with its keys and pipelines, as in `docs/samples/`. */
const sampleSchema = z.strictObject({
  project: z.strictObject({ id: projectId, name: displayName }),
  keys: z.array(z.strictObject({ name: displayName, scopes: scopeList })),
  pipelines: z.array(z.strictObject({ start: z.boolean(), definition: pipelineDefinition })),
});

export type Sample = z.infer<typeof sampleSchema>;

export function readSample(file: string | URL): Sample {
  return sampleSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
