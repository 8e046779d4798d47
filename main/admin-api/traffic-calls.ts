import { z } from 'zod';
import { projectId } from '#common/model/ids.ts';
import type { KeyRecord } from '#common/model/records.ts';
import { type PipelineTraffic, TRAFFIC_RANGES } from '#common/model/traffic.ts';
import { type Context, defineCall, type Services, unknown } from './call.ts';
import { keyOf } from './key-calls.ts';
import { pipelineOf } from './pipeline-record.ts';
import { listOf, page } from '#common/contract/records.ts';
import { callerTraffic, keyTraffic, pipelineTraffic, trafficOverview } from '#common/contract/traffic-records.ts';

const range = z.enum(TRAFFIC_RANGES, { error: `expected one of ${TRAFFIC_RANGES.join(', ')}` }).default('15m');

export const trafficCalls = [
  defineCall({
    method: 'get',
    path: '/traffic',
    access: 'view',
    summary: 'Read traffic figures',
    description:
      'Shows calls, refusals and durations of the gateway as a whole and of each route for a time range, and who calls.',
    query: z.strictObject({ range }),
    response: trafficOverview,
    handle: ({ traffic, routes, keys, gateway }, { query }) =>
      traffic.overview(
        query.range,
        routes(gateway.failed),
        keys.list().filter(isValid),
        keys.list().filter((key) => !isValid(key)),
      ),
  }),
  defineCall({
    method: 'get',
    path: '/traffic/keys',
    access: 'access_settings',
    summary: 'Read traffic by key',
    description: 'Shows the current traffic of every valid key of a project, including keys that were never used.',
    query: z.strictObject({ project: projectId }),
    response: listOf(callerTraffic),
    async handle({ traffic, projects, keys, audit }, { query }) {
      if (projects.project(query.project) === null) throw unknown('project');
      const usedBefore = await audit.lastUsed().catch(() => new Map<string, string>());
      return page(traffic.callers(keys.list(query.project).filter(isValid), usedBefore));
    },
  }),
  defineCall({
    method: 'get',
    path: '/projects/:project/keys/:key/traffic',
    access: 'access_settings',
    summary: 'Read the traffic of a key',
    description: 'Shows calls of the last eight hours with the key and the addresses that they came from.',
    response: keyTraffic,
    handle: (services, context) => services.traffic.key(keyOf(services, context).id),
  }),
  defineCall({
    method: 'get',
    path: '/projects/:project/pipelines/:pipeline/traffic',
    access: 'view',
    summary: 'Read the traffic of a pipeline',
    description:
      'Shows the messages per second of each node of the running revision, averaged over the last ten seconds.',
    response: pipelineTraffic,
    handle: pipelineFigures,
  }),
];

async function pipelineFigures(
  services: Services,
  context: Pick<Context<unknown, unknown>, 'param'>,
): Promise<PipelineTraffic> {
  const { project, definition } = pipelineOf(services, context);
  const args = { project, pipeline: definition.id };
  // A gateway that is away is no error here: nothing runs.
  const running = await services.gateway.call('node-traffic', args).catch(() => null);
  const at = new Date().toISOString();
  return { at, revision: running?.revision ?? null, nodes: running?.nodes ?? [] };
}

function isValid({ revokedAt }: KeyRecord): boolean {
  return revokedAt === null;
}
