import { z } from 'zod';
import { scopeList } from './fields.ts';
import { displayName, nodeId, projectId } from './ids.ts';

export const NODES_MAX = 500;
export const WIRES_MAX = 2000;

const position = z.strictObject({ x: z.number(), y: z.number() });

export const pipelineNode = z.strictObject({
  id: nodeId,
  kind: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'expected the id of a node kind, such as rest-api'),
  name: displayName.optional(),
  position: position.default({ x: 0, y: 0 }),
  off: z
    .boolean({ error: 'expected true or false' })
    .optional()
    .meta({ description: 'True: the node is switched off, and its wires lead past it.' }),
  settings: z.record(z.string(), z.unknown(), { error: 'expected an object' }).default({}),
});

export const pipelineWire = z.strictObject({
  from: nodeId,
  port: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'expected the name of a port, such as out'),
  to: nodeId,
});

/** A pipeline as sent (docs/spec/pipelines.md#definition). Node settings are checked by their kind, in the gateway. */
export const pipelineDefinition = z
  .strictObject({
    id: projectId,
    name: displayName,
    runAs: z.enum(['caller', 'pipeline'], { error: 'expected "caller" or "pipeline"' }).default('caller'),
    grants: scopeList.default([]),
    nodes: z.array(pipelineNode).max(NODES_MAX, `expected at most ${NODES_MAX} nodes`).default([]),
    wires: z.array(pipelineWire).max(WIRES_MAX, `expected at most ${WIRES_MAX} wires`).default([]),
  })
  .superRefine((pipeline, context) => {
    const seen = new Set<string>();
    for (const [index, node] of pipeline.nodes.entries()) {
      if (seen.has(node.id)) {
        context.addIssue({
          code: 'custom',
          path: ['nodes', index, 'id'],
          message: `two nodes have the id "${node.id}"; expected each once`,
        });
      }
      seen.add(node.id);
    }
  });

export type PipelineDefinition = z.infer<typeof pipelineDefinition>;
export type PipelineNode = z.infer<typeof pipelineNode>;

export type PipelineState = 'running' | 'stopped' | 'failed';

/** Fields of a pipeline as read that are ignored when they are sent back. */
export const READ_ONLY_PIPELINE_FIELDS = [
  'project',
  'revision',
  'state',
  'runningRevision',
  'runningSince',
  'triggerFaults',
  'errorsWith200',
  'approvedRevision',
  'updatedAt',
  'updatedBy',
] as const;

/** Why a trigger node of the running revision begins no runs, or not all that it should. */
export interface TriggerTrouble {
  node: string;
  code: string;
  message: string;
}

/** A node that answered callers with status 200 and an `error` in the body. */
export interface ErrorsWith200 {
  node: string;
  /** Since the running revision was started, or since the gateway was, whichever is later. */
  count: number;
}

export interface CheckFinding {
  code: string;
  node?: string;
  field?: string;
  message: string;
}

export interface CheckResult {
  errors: CheckFinding[];
  warnings: CheckFinding[];
  /** The scopes that a caller needs for every node that it can reach. */
  scopes: string[];
}
