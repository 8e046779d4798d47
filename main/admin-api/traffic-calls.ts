import { page } from '#common/contract/records.ts';
import { trafficContract } from '#common/contract/traffic.ts';
import type { KeyRecord } from '#common/model/records.ts';
import type { PipelineTraffic } from '#common/model/traffic.ts';
import { type Context, defineCall, type Services, unknown } from './call.ts';
import { keyOf } from './key-calls.ts';
import { pipelineOf } from './pipeline-record.ts';

export const trafficCalls = [
  defineCall(trafficContract.overview, {
    handle: ({ traffic, routes, keys, gateway }, { query }) =>
      traffic.overview(
        query.range,
        routes(gateway.failed),
        keys.list().filter(isValid),
        keys.list().filter((key) => !isValid(key)),
      ),
  }),
  defineCall(trafficContract.keys, {
    async handle({ traffic, projects, keys, audit }, { query }) {
      if (query.project !== undefined && projects.project(query.project) === null) throw unknown('project');
      const usedBefore = await audit.lastUsed().catch(() => new Map<string, string>());
      return page(traffic.callers(keys.list(query.project).filter(isValid), usedBefore));
    },
  }),
  defineCall(trafficContract.key, {
    handle: (services, context) => services.traffic.key(keyOf(services, context).id, context.query.range),
  }),
  defineCall(trafficContract.pipeline, {
    handle: pipelineFigures,
  }),
];

async function pipelineFigures(
  services: Services,
  context: Pick<Context<unknown, unknown>, 'param'>,
): Promise<PipelineTraffic> {
  const { project, definition } = pipelineOf(services, context);
  const args = { project, pipeline: definition.id };
  // A missing gateway is not an error here: no pipeline is running.
  const running = await services.gateway.call('node-traffic', args).catch(() => null);
  const at = new Date().toISOString();
  return { at, revision: running?.revision ?? null, nodes: running?.nodes ?? [] };
}

function isValid({ revokedAt }: KeyRecord): boolean {
  return revokedAt === null;
}
