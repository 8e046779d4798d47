import { z } from 'zod';
import { nodeId, projectId } from '../model/ids.ts';
import { SCOPES } from '../scopes.ts';
import { TRAFFIC_RANGES } from '../model/traffic.ts';

/**
 * Schemas of the responses of `GET /traffic` and related calls (common/model/traffic.ts). Unknown values are null,
 * never 0.
 */
const time = z.iso.datetime();
const count = z.number().int();
const known = z.number().nullable();

const usual = z.strictObject({ low: z.number(), high: z.number() }).nullable().meta({
  description: '5th and 95th percentile of this hour of the day over 14 days; null under 50 samples or 3 days.',
});
const figure = z.strictObject({ value: known, usual });
export const series = z.strictObject({ from: time, stepSeconds: z.number(), values: z.array(known) });

const routeTraffic = z.strictObject({
  project: projectId,
  pipeline: projectId,
  pipelineName: z.string(),
  node: nodeId,
  method: z.string(),
  pattern: z.string(),
  answers: z.boolean(),
  authType: z.enum(['api_key', 'none']),
  requiredScopes: z.array(z.enum(SCOPES)),
  callsPerSecond: known,
  calls: count,
  refused: count,
  errorShare: known.meta({
    description: 'Share of calls that ended with 500 or above, or whose event was queued or became a dead letter.',
  }),
  p50Ms: known,
  p99Ms: known,
  p99Usual: usual,
  series,
  lastCall: z
    .strictObject({ at: time, keyId: z.string().nullable(), name: z.string().nullable(), ip: z.string() })
    .nullable(),
});

const callerTraffic = z.strictObject({
  keyId: z.string(),
  project: projectId,
  name: z.string(),
  ip: z.string().nullable(),
  lastCallAt: time.nullable(),
  usualGapSeconds: known,
  silent: z.boolean(),
  calls: count,
  refused: count,
  refusedCode: z.string().nullable(),
});

const hours = z.array(count.nullable()).meta({ description: 'Calls of each hour; null = nothing was measured.' });
export const keyCaller = callerTraffic.extend({
  day: z.strictObject({ from: time, passed: hours, refused: hours }),
});

export const trafficOverview = z.strictObject({
  at: time,
  range: z.enum(TRAFFIC_RANGES),
  inFlight: count.nullable(),
  usualDays: count.meta({ description: 'Days of which this hour of the day is known; usual ranges need 3.' }),
  callsPerSecond: figure,
  calls: count,
  refused: count,
  refusedShare: figure,
  p50Ms: known,
  p99Ms: figure,
  series: z.strictObject({
    calls: series,
    refusedPerMinute: series,
    usualLow: z.array(known),
    usualHigh: z.array(known),
  }),
  routes: z.array(routeTraffic),
  callers: z.array(callerTraffic),
});

export const keyTraffic = z.strictObject({
  keyId: z.string(),
  at: time,
  callsPerMinute: known,
  lastCall: z.strictObject({ at: time, ip: z.string(), route: z.string() }).nullable(),
  hosts: z.array(z.strictObject({ ip: z.string(), calls: count, lastCallAt: time })),
  routes: z.array(
    z.strictObject({
      route: z.string().meta({ description: 'Method and pattern as the pipeline declares them.' }),
      firstCallAt: time,
      lastCallAt: time,
      firstPassedAt: time.nullable().meta({ description: 'Null = every call was refused.' }),
      lastPassedAt: time.nullable(),
    }),
  ),
  series,
});

export const pipelineTraffic = z.strictObject({
  at: time,
  revision: count.nullable(),
  nodes: z.array(
    z.strictObject({
      node: nodeId,
      perSecond: z.number(),
      p99Ms: known,
      errorShare: z.number(),
      ports: z.record(z.string(), z.number()),
    }),
  ),
});
