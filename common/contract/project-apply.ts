import { z } from 'zod';
import { PROJECT_FILE_BYTES_MAX, projectFile, secretPlace } from '../model/project-file.ts';
import { PERMISSIONS } from '../model/records.ts';
import { declareCall } from './declaration.ts';

/**
 * A project as code (docs/spec/pipelines.md#plan-and-apply): a stored project becomes the one of a file, in place. The
 * plan is shown first, and only that plan is applied.
 *
 * Limits: PROJECT_FILE_BYTES_MAX and PIPELINES_PER_FILE_MAX.
 */
const plannedChange = z.strictObject({
  what: z.enum(['project', 'connection', 'query', 'script', 'tag', 'pipeline']),
  id: z.string(),
  action: z.enum(['create', 'change', 'delete']),
  fields: z.array(z.string()).meta({ description: 'The changed fields; nodes are named by their ids.' }),
  text: z.string().meta({ description: 'The change and its effect, in sentences.' }),
  needs: z
    .array(z.enum(PERMISSIONS))
    .meta({ description: 'Permissions that are needed, beside `edit_pipelines`, to put the change in force.' }),
});
export type PlannedChange = z.infer<typeof plannedChange>;

const toFillIn = z
  .array(secretPlace)
  .meta({ description: 'Secrets that have no value after the apply: enter them in the admin UI.' });

const refused = z
  .array(z.strictObject({ code: z.enum(['conflict', 'permission_missing']), text: z.string() }))
  .meta({ description: 'Why an apply by this user would be refused; empty: it would not.' });

export const projectApplyContract = {
  plan: declareCall({
    method: 'post',
    path: '/projects/:project/plan',
    access: 'edit_pipelines',
    audit: { none: 'it only compares' },
    summary: 'Plan an apply',
    description:
      'Compares the project with a file of it and lists each change in sentences. Nothing is changed. The project need not exist yet. Secrets are not compared: stored values stay.',
    body: z.strictObject({ file: projectFile }),
    bodyBytesMax: PROJECT_FILE_BYTES_MAX,
    response: z.strictObject({
      digest: z.string().meta({ description: 'Of this plan, for the apply.' }),
      changes: z.array(plannedChange),
      refused,
      toFillIn,
    }),
  }),
  apply: declareCall({
    method: 'post',
    path: '/projects/:project/apply',
    access: 'edit_pipelines',
    audit: ['project.apply'],
    summary: 'Apply a file to a project',
    description:
      'Makes the project equal to the file, all of it or nothing. `digest` is that of the plan; if anything of the plan is different now, the answer is 409 `conflict`. Pipelines are saved as new revisions, and running ones keep running with theirs until they are started again. Scripts and queries that the user may not activate are saved as drafts. Keys, and secrets whose targets stay the same, are kept.',
    body: z.strictObject({
      file: projectFile,
      digest: z.string().regex(/^[0-9a-f]{64}$/, 'expected the digest of a plan'),
    }),
    bodyBytesMax: PROJECT_FILE_BYTES_MAX,
    errors: ['disk_reserve'],
    response: z.strictObject({ changes: z.array(plannedChange), toFillIn }),
  }),
};
