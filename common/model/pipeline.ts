import { z } from 'zod';
import { canvasGroups, canvasNotes } from './canvas-notes.ts';
import { scopeList } from './fields.ts';
import { pipelineLimits } from './key-limits.ts';
import { displayName, nodeId, projectId } from './ids.ts';
import { expected } from '../errors/rules.ts';
import { savedTests } from './saved-test.ts';
import type { ScriptEngine } from './script-engine.ts';
import type { RuleOf } from '../errors/catalogue.ts';

export const NODES_MAX = 500;
export const WIRES_MAX = 2000;

const position = z.strictObject({ x: z.number(), y: z.number() });

export const pipelineNode = z.strictObject({
  id: nodeId,
  kind: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, expected('form', { what: 'the id of a node kind,', example: 'rest-api' })),
  name: displayName.optional(),
  position: position.default({ x: 0, y: 0 }),
  off: z
    .boolean({ error: expected('true_or_false') })
    .optional()
    .meta({ description: 'True: the node is switched off, and its wires lead past it.' }),
  settings: z.record(z.string(), z.unknown(), { error: expected('object') }).default({}),
});

export const pipelineWire = z.strictObject({
  from: nodeId,
  port: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, expected('form', { what: 'the name of a port,', example: 'out' })),
  to: nodeId,
});

/**
 * A pipeline as sent (docs/spec/pipelines.md#definition). The settings of a node are checked by its kind, in the
 * gateway.
 */
export const pipelineDefinition = z
  .strictObject({
    id: projectId,
    name: displayName,
    runAs: z
      .enum(['caller', 'pipeline'], { error: expected('one_of', { values: ['caller', 'pipeline'] }) })
      .default('caller'),
    grants: scopeList.default([]),
    limits: pipelineLimits.optional().meta({ description: 'Limits of its grants, like those of a key.' }),
    rehearsal: z
      .boolean({ error: expected('true_or_false') })
      .optional()
      .meta({ description: 'True: writes of its runs are simulated.' }),
    nodes: z
      .array(pipelineNode)
      .max(NODES_MAX, expected('count_max', { max: NODES_MAX, of: 'nodes' }))
      .default([]),
    wires: z
      .array(pipelineWire)
      .max(WIRES_MAX, expected('count_max', { max: WIRES_MAX, of: 'wires' }))
      .default([]),
    notes: canvasNotes.optional().meta({ description: 'Texts on the canvas, without effect on what runs.' }),
    groups: canvasGroups.optional().meta({ description: 'Titled frames around nodes, without effect on what runs.' }),
    tests: savedTests.optional().meta({ description: 'Requests that are kept to be run again in a test.' }),
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

/** Fields of a pipeline as read that are ignored when a client sends them back. */
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

/** Why a trigger node of the running revision begins no runs, or fewer than it should. */
export interface TriggerTrouble extends RuleOf {
  node: string;
  code: string;
  message: string;
}

/** A node that answered callers with status 200 and an `error` in the body. */
export interface ErrorsWith200 {
  node: string;
  /** Since the start of the running revision or of the gateway, whichever is later. */
  count: number;
}

export interface CheckFinding extends RuleOf {
  code: string;
  node?: string;
  field?: string;
  message: string;
}

export interface CheckFindings {
  errors: CheckFinding[];
  warnings: CheckFinding[];
  /** The scopes that a caller needs for all nodes that it can reach. */
  scopes: string[];
}

export interface CheckResult extends CheckFindings {
  /** The engine of each script of a node; a check compiles a limited amount of code and leaves out the rest. */
  scripts: ScriptEngine[];
}
