import { reachContract } from '#common/contract/reach.ts';
import { keyReach, type KeyReach } from '#common/model/key-reach.ts';
import { defineCall, type Services } from './call.ts';
import { keyOf } from './key-calls.ts';
import { projectOf } from './project-calls.ts';
import { routedPipelines, startedOnes } from './route-calls.ts';

export const reachCalls = [
  defineCall(reachContract.ofKey, {
    handle(services, context) {
      const key = keyOf(services, context);
      return reachOf(services, key.project, key);
    },
  }),
  defineCall(reachContract.ofScopes, {
    handle(services, context) {
      const { id } = projectOf(services, context);
      return reachOf(services, id, { scopes: context.body.scopes, limits: {} });
    },
  }),
];

function reachOf(services: Services, project: string, key: Parameters<typeof keyReach>[0]): KeyReach {
  const tags = services.projects.resources.list('tags', project).map(({ path }) => path);
  return keyReach(key, routedPipelines(services, project, startedOnes(services)), tags);
}
