import { z } from 'zod';
import { displayName, nodeId, projectId } from '../model/ids.ts';
import { canvasGroups, canvasNotes } from '../model/canvas-notes.ts';
import { savedTest } from '../model/saved-test.ts';
import { LIMIT_LISTS, type LimitList, pipelineLimits } from '../model/key-limits.ts';
import { pipelineNode, pipelineWire } from '../model/pipeline.ts';
import { AUDIT_TYPES, WRITE_KINDS, WRITE_RESULTS } from '../model/audit.ts';
import { PERMISSIONS, SIGHTING_KINDS } from '../model/records.ts';
import { SANDBOX_REASONS } from '../model/script-engine.ts';
import { SCOPES } from '../scopes.ts';
import { ruleFields } from './rule-fields.ts';

/**
 * Schemas of responses (docs/spec/admin-api.md#documents), for the OpenAPI document and for the tests that check every
 * response against them.
 */
export const time = z.iso.datetime();
const scopeNames = z.array(z.enum(SCOPES));

export function listOf<T extends z.ZodType>(item: T) {
  return z.strictObject({ items: z.array(item), next: z.string().nullable() });
}

/** A complete list on one page. */
export function page<T>(items: T[]): { items: T[]; next: string | null } {
  return { items, next: null };
}

export const projectRecord = z.strictObject({ id: projectId, name: displayName, createdAt: time });

const limitList = z.array(z.string()).optional();

/** As they are stored, also by an earlier version that accepted other entries. */
const limitsRecord = z
  .strictObject({
    ...(Object.fromEntries(LIMIT_LISTS.map((name) => [name, limitList])) as Record<LimitList, typeof limitList>),
    until: time.optional(),
    rehearsal: z.literal(true).optional(),
  })
  .meta({ description: 'Entries by scope; a scope without a list is not limited, an empty list allows nothing.' });

export const keyRecord = z.strictObject({
  id: z.string(),
  project: projectId,
  name: z.string(),
  scopes: scopeNames,
  limits: limitsRecord,
  paused: z
    .strictObject({ at: time, by: z.string(), reason: z.string(), second: z.literal(true).exactOptional() })
    .nullable()
    .meta({ description: '`second`: the key waits until a user other than `by` resumes it.' }),
  honey: z.boolean(),
  exposed: z
    .strictObject({ at: time, how: z.enum(SIGHTING_KINDS), ip: z.string(), method: z.string(), path: z.string() })
    .nullable(),
  createdAt: time,
  createdBy: z.string(),
  lastUsedAt: time.nullable(),
  revokedAt: time.nullable(),
  revokedBy: z.string().nullable(),
});

/** A key after a change; on a hub, with the edges that know it. */
export const changedKey = keyRecord.extend({
  fleet: z
    .strictObject({
      serial: z.int().meta({ description: 'The number of the change in the fleet.' }),
      confirmed: z.array(z.string()).meta({ description: 'Edges whose gateway and vault have it.' }),
      silent: z.array(z.string()).meta({ description: 'Connected edges that have not answered yet.' }),
      cutOff: z.array(z.strictObject({ edge: z.string(), since: z.string().nullable() })).meta({
        description: 'Edges without contact, with the time of their last check-in. They apply it when they return.',
      }),
    })
    .optional()
    .meta({ description: 'On a hub, for a key that edges have.' }),
  fleetError: z.string().optional().meta({
    description: 'Why the hub does not know which edges have the change. They may still use the key as before.',
  }),
});

export const madeKey = z.strictObject({
  key: z.string().meta({ description: 'The key. It is shown this once.' }),
  record: keyRecord,
});

const definition = {
  id: projectId,
  name: z.string(),
  runAs: z.enum(['caller', 'pipeline']),
  grants: scopeNames,
  limits: pipelineLimits.optional(),
  rehearsal: z.boolean().optional(),
  nodes: z.array(
    z.strictObject({
      ...pipelineNode.shape,
      position: z.strictObject({ x: z.number(), y: z.number() }),
      settings: z.record(z.string(), z.unknown()),
    }),
  ),
  wires: z.array(pipelineWire),
  notes: canvasNotes.optional(),
  groups: canvasGroups.optional(),
  tests: z.array(savedTest).optional(),
};

export const pipelineRecord = z.strictObject({
  ...definition,
  project: projectId,
  revision: z.number().int(),
  state: z.enum(['running', 'stopped', 'failed']),
  runningRevision: z.number().int().nullable(),
  runningSince: time.nullable().meta({ description: 'When the running revision was started; null = not known.' }),
  triggerFaults: z.array(z.strictObject({ node: nodeId, code: z.string(), message: z.string(), ...ruleFields })).meta({
    description: 'Triggers of the running revision that begin no runs, or not all that they should, and why.',
  }),
  errorsWith200: z.array(z.strictObject({ node: nodeId, count: z.number().int() })).meta({
    description:
      'Nodes that answered callers with status 200 and an `error` in the body, and how often since the running revision was started, or since the gateway was, whichever is later. A count that grows is up to 10 s old.',
  }),
  approvedRevision: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'The last revision that somebody with access_settings started.' }),
  updatedAt: time,
  updatedBy: z.string(),
});

export const revisionRecord = z.strictObject({
  revision: z.number().int(),
  savedAt: time,
  savedBy: z.string(),
  definition: z.strictObject(definition),
});

const finding = z.strictObject({
  code: z.string(),
  node: z.string().exactOptional(),
  field: z.string().exactOptional(),
  message: z.string(),
  ...ruleFields,
});
export const checkResult = z.strictObject({
  errors: z.array(finding),
  warnings: z.array(finding),
  scopes: z.array(z.string()),
  scripts: z.array(
    z.strictObject({
      node: z.string(),
      engine: z.enum(['native', 'sandbox']),
      reason: z.enum(SANDBOX_REASONS).nullable(),
      line: z.number().int().nullable().meta({ description: 'Line of the code that the reason refers to.' }),
    }),
  ),
});

const fault = { code: z.string(), message: z.string() };
export const runRecord = z.strictObject({
  id: z.string(),
  requestId: z.string(),
  pipeline: projectId,
  revision: z.number().int(),
  caller: z.strictObject({ keyId: z.string(), name: z.string() }).nullable(),
  route: z.string().nullable(),
  startedAt: time,
  durationMs: z.number(),
  outcome: z.enum(['replied', 'failed', 'timeout', 'cancelled', 'ended']),
  status: z.number().int().nullable(),
  error: z.strictObject({ node: nodeId.nullable(), ...fault }).nullable(),
  test: z.boolean(),
  steps: z.array(
    z.strictObject({
      node: z.string(),
      kind: z.string(),
      port: z.string().nullable(),
      startedUs: z.number(),
      durationUs: z.number(),
      input: z.unknown().meta({ description: 'Null without the permission edit_pipelines.' }),
      output: z.unknown().meta({ description: 'Null without the permission edit_pipelines.' }),
      error: z.strictObject(fault).exactOptional(),
    }),
  ),
  payloadsOmitted: z.boolean(),
  rehearsal: z
    .strictObject({
      count: z.int(),
      writes: z.array(
        z.strictObject({
          node: z.string(),
          kind: z.enum(WRITE_KINDS),
          thing: z.string(),
          to: z
            .string()
            .exactOptional()
            .meta({ description: 'JSON, clipped; absent without the permission edit_pipelines.' }),
        }),
      ),
    })
    .exactOptional()
    .meta({ description: 'Writes that were simulated: how many, and the first 100.' }),
});

export const userRecord = z.strictObject({
  id: z.string(),
  name: z.string(),
  roles: z.array(z.string()),
  active: z.boolean(),
  createdAt: time,
  lastLoginAt: time.nullable(),
});

const permissions = z.array(z.enum(PERMISSIONS));
export const roleRecord = z.strictObject({ id: z.string(), name: z.string(), permissions, builtIn: z.boolean() });

export const tokenRecord = z.strictObject({
  id: z.string(),
  name: z.string(),
  permissions,
  permissionsNow: permissions.meta({
    description: 'Those that the user who created it still has; none while that user is deactivated.',
  }),
  project: z.string().nullable().meta({ description: 'Null: all projects.' }),
  addresses: z.array(z.string()).nullable().meta({ description: 'Null: all addresses.' }),
  createdAt: time,
  createdBy: z.string(),
  endsAt: time,
  lastUsedAt: time.nullable(),
  revokedAt: time.nullable(),
  revokedBy: z.string().nullable(),
});

export const sessionRecord = z.strictObject({ user: userRecord, permissions, csrfToken: z.string(), expiresAt: time });

const compared = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
const text = z.string().exactOptional();
const count = z.number().exactOptional();
export const auditRow = z.strictObject({
  time,
  type: z.enum(AUDIT_TYPES),
  requestId: text,
  clientRequestId: text,
  keyId: text,
  keyName: text,
  user: text,
  project: text,
  pipeline: text,
  route: text,
  method: text,
  path: text,
  ip: text,
  code: text,
  status: count,
  durationMs: count,
  bytesIn: count,
  bytesOut: count,
  count,
  act: text,
  target: text,
  detail: text,
  why: z.strictObject({ step: z.number(), cause: z.string(), compared }).exactOptional(),
  form: count,
  write: text,
  kind: z.enum(WRITE_KINDS).exactOptional(),
  thing: text,
  device: text,
  node: text,
  run: text,
  trigger: text,
  from: text,
  to: text,
  first: text,
  rehearsal: z.literal(true).exactOptional().meta({ description: 'The write is simulated.' }),
  result: z.enum(WRITE_RESULTS).exactOptional(),
  failed: count,
});

const facetCounts = z.strictObject({
  values: z.array(z.strictObject({ value: z.string(), name: z.string().exactOptional(), calls: z.number() })),
  without: z.number(),
  others: z.number(),
});
const outcomeCounts = { passed: z.number(), refused: z.number(), failed: z.number() };

export const auditSummary = z.strictObject({
  from: z.string(),
  to: z.string(),
  stepMs: z.number(),
  bars: z.array(z.strictObject({ at: z.string(), ...outcomeCounts })),
  outcomes: z.strictObject(outcomeCounts),
  consumers: facetCounts,
  routes: facetCounts,
  addresses: facetCounts,
  next: z.string().nullable(),
});

export const refusalRecord = z.strictObject({
  requestId: z.string(),
  step: z.number().int(),
  code: z.string(),
  compared,
  mend: z.string(),
  time: text,
  status: count,
  cause: text,
  method: text,
  path: text,
  ip: text,
  project: text,
  pipeline: text,
  route: text,
  keyId: text,
  keyName: text,
});

const chain = z.enum(['gateway', 'host']);
export const verifyReport = z.strictObject({
  ok: z.boolean(),
  chains: z.array(
    z.strictObject({
      chain,
      segments: z.number(),
      batches: z.number(),
      rows: z.number(),
      head: z.strictObject({ chain, seq: z.number(), hash: z.string(), time: z.string() }).nullable(),
    }),
  ),
  findings: z.array(z.string()),
  unproven: z.array(
    z.strictObject({
      chain,
      from: z.number(),
      to: z.number(),
      sealed: z.boolean(),
      rows: z.number(),
      listed: z.array(
        z.strictObject({
          batch: z.number(),
          time: z.string(),
          type: z.string(),
          requestId: z.string().exactOptional(),
          act: z.string().exactOptional(),
        }),
      ),
    }),
  ),
  uncleanStops: z.array(z.strictObject({ chain, from: z.string(), to: z.string(), bytesDropped: z.number() })),
});

/** Also stored in the held file: see main/admin-api/perform-restriction.ts. */
export const phraseRecord = z.strictObject({
  phrase: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.strictObject({ phrase: z.string() })])),
});

export const alarmRecord = z.strictObject({
  code: z.string(),
  severity: z.enum(['alarm', 'warning', 'advisory']),
  text: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  phrases: z.record(z.string(), z.array(phraseRecord)).exactOptional(),
  since: time,
  acknowledgedAt: time.nullable(),
  acknowledgedBy: z.string().nullable(),
  shelvedUntil: time.nullable().meta({ description: 'The alarm is hidden until then; null = it is shown.' }),
  shelvedBy: z.string().nullable(),
  note: z.string().nullable().meta({ description: 'Written when it was acknowledged or shelved.' }),
});

export const pastAlarm = alarmRecord.extend({
  id: z.number(),
  endedAt: time.nullable().meta({ description: 'Null: the alarm is raised now.' }),
});

export const journalUsage = z.strictObject({ bytes: z.number(), bytesPerDay: z.number(), oldest: time.nullable() });

export const statusRecord = z.strictObject({
  version: z.string(),
  startedAt: time,
  machine: z.strictObject({ name: z.string(), address: z.string().nullable() }),
  gateway: z.strictObject({
    pid: z.number().nullable(),
    state: z.enum(['starting', 'running', 'draining', 'stopping', 'dead']),
    since: time,
    restarts: z.number(),
    port: z.number().nullable(),
    silentMs: z.number().nullable().meta({
      description:
        'Milliseconds since the last heartbeat of the gateway, which comes every 2 s; null without a process. From 4,000 on, assume that its routes do not answer.',
    }),
  }),
  pipelines: z.strictObject({ running: z.number(), failed: z.number() }),
  alarms: z.array(alarmRecord),
  desktop: z
    .strictObject({ kiosk: z.boolean() })
    .exactOptional()
    .meta({ description: 'The desktop window around the host; absent in a service.' }),
  fleet: z
    .enum(['hub', 'edge'])
    .exactOptional()
    .meta({ description: 'The role of this machine in a fleet; absent outside of one.' }),
});

export const kindManifest = z.strictObject({
  id: z.string(),
  version: z.string(),
  title: z.string(),
  summary: z.string(),
  category: z.string(),
  input: z.boolean(),
  ports: z.array(z.string()),
  scopes: scopeNames,
  modes: z.record(z.string(), z.strictObject({ input: z.boolean(), ports: z.array(z.string()) })).exactOptional(),
  plugin: z.string().nullable(),
  settings: z.unknown(),
  examples: z.array(z.unknown()),
});
