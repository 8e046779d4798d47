import { z } from 'zod';
import { projectId } from '../model/ids.ts';
import { KEY_TRAFFIC_RANGES, TRAFFIC_RANGES } from '../model/traffic.ts';
import { declareCall } from './declaration.ts';
import { listOf } from './records.ts';
import { keyCaller, keyTraffic, pipelineTraffic, trafficOverview } from './traffic-records.ts';
import { expected } from '../errors/rules.ts';

const range = z.enum(TRAFFIC_RANGES, { error: expected('one_of', { values: TRAFFIC_RANGES }) }).default('15m');

const keyRange = z
  .enum(KEY_TRAFFIC_RANGES, { error: expected('one_of', { values: KEY_TRAFFIC_RANGES }) })
  .default('8h');

export const trafficContract = {
  overview: declareCall({
    method: 'get',
    path: '/traffic',
    access: 'view',
    summary: 'Read traffic figures',
    description:
      'Shows calls, refusals and durations of the gateway as a whole and of each route for a time range, and who calls.',
    query: z.strictObject({ range }),
    response: trafficOverview,
  }),
  keys: declareCall({
    method: 'get',
    path: '/traffic/keys',
    access: 'manage_keys',
    summary: 'Read traffic by key',
    description:
      'Shows the current traffic of every valid key of a project or of all projects, including keys that were never used, and its calls of the last 24 hours.',
    query: z.strictObject({ project: projectId.optional() }),
    response: listOf(keyCaller),
  }),
  key: declareCall({
    method: 'get',
    path: '/projects/:project/keys/:key/traffic',
    access: 'manage_keys',
    summary: 'Read the traffic of a key',
    description:
      'Shows the calls with the key, the addresses that they came from and the routes that they went to. `range` is the time that `series` covers.',
    query: z.strictObject({ range: keyRange }),
    response: keyTraffic,
  }),
  pipeline: declareCall({
    method: 'get',
    path: '/projects/:project/pipelines/:pipeline/traffic',
    access: 'view',
    summary: 'Read the traffic of a pipeline',
    description:
      'Shows the messages per second of each node of the running revision, averaged over the last ten seconds.',
    response: pipelineTraffic,
  }),
};
