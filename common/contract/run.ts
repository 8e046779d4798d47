import { z } from 'zod';
import { STOPPED_STATUS } from '../errors/gateway-codes.ts';
import { pipelineDefinition } from '../model/pipeline.ts';
import { testPart } from '../model/test-part.ts';
import { expected } from '../errors/rules.ts';
import { declareCall } from './declaration.ts';
import { checkResult, listOf, pipelineRecord as pipelineSchema, runRecord } from './records.ts';

const PIPELINE = '/projects/:project/pipelines/:pipeline';
const revision = z
  .number({ error: 'expected the number of a revision' })
  .int('expected the number of a revision')
  .min(1)
  .max(1e9);
const whichRevision = z.strictObject({ revision: revision.optional() });

export const runContract = {
  check: declareCall({
    method: 'post',
    path: `${PIPELINE}/check`,
    access: 'view',
    audit: { none: 'Checks a draft and saves nothing.' },
    summary: 'Check a pipeline',
    description:
      'Checks a revision, or a draft that is not saved: errors would refuse a start, warnings should be reviewed, `scopes` lists the scopes that a caller needs, and `scripts` shows whether each script runs natively or in the sandbox. Without a body the newest revision is checked.',
    body: z.strictObject({ revision: revision.optional(), definition: pipelineDefinition.optional() }),
    response: checkResult,
  }),
  start: declareCall({
    method: 'post',
    path: `${PIPELINE}/start`,
    access: 'run_pipelines',
    audit: ['pipeline.start'],
    summary: 'Start a pipeline',
    description:
      'Starts a revision, or swaps it in place of the running one without a gap. Without `revision` it is the newest. The pipeline is started again after every restart of Sluice.',
    errors: ['route_clash'],
    body: whichRevision,
    response: pipelineSchema,
  }),
  stop: declareCall({
    method: 'post',
    path: `${PIPELINE}/stop`,
    access: 'run_pipelines',
    audit: ['pipeline.stop'],
    summary: 'Stop a pipeline',
    description: `Stops the pipeline. Its routes answer ${STOPPED_STATUS} from then on. \`not_saved\` means the same, but the disk has no room: Sluice saves it later.`,
    response: pipelineSchema,
    errors: ['not_saved'],
  }),
  test: declareCall({
    method: 'post',
    path: `${PIPELINE}/test`,
    access: 'run_pipelines',
    audit: ['test'],
    summary: 'Test a pipeline',
    description:
      'Runs the newest revision once on a message, with the grants of the pipeline, with the scopes of a key (`keyId`), or with those that the route requires of its callers (`rights: "route"`). Scopes of a key need `access_settings`; so do those of a route, unless a valid key of the project has all of them. The journal records the test.',
    body: z.strictObject({
      message: z.unknown(),
      part: testPart.optional().meta({ description: 'A part of the pipeline; needs `edit_pipelines`.' }),
      keyId: z.string().max(64).optional(),
      rehearsal: z
        .boolean({ error: expected('true_or_false') })
        .optional()
        .meta({ description: 'True: writes are simulated and listed in the run.' }),
      rights: z
        .enum(['pipeline', 'route'], { error: expected('one_of', { values: ['pipeline', 'route'] }) })
        .optional()
        .meta({ description: 'Default: `pipeline`, its grants. A public route and a trigger have these in any case.' }),
    }),
    response: runRecord,
  }),
  list: declareCall({
    method: 'get',
    path: `${PIPELINE}/runs`,
    access: 'view',
    summary: 'List runs',
    description:
      'Lists the last runs of a pipeline, newest first. They are kept in memory only. Payloads are left out without the permission `edit_pipelines`.',
    response: listOf(runRecord),
  }),
  read: declareCall({
    method: 'get',
    path: `${PIPELINE}/runs/:run`,
    access: 'view',
    summary: 'Read a run',
    description:
      'Shows one run with every node that it passed. Payloads are left out without the permission `edit_pipelines`.',
    response: runRecord,
  }),
};
