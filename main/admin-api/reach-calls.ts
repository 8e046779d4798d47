import { reachContract } from '#common/contract/reach.ts';
import { keyReach, type KeyReach } from '#common/model/key-reach.ts';
import type { Scope } from '#common/scopes.ts';
import { defineCall, type Services } from './call.ts';
import { keyOf } from './key-calls.ts';
import { projectOf } from './project-calls.ts';
import { routedPipelines, startedOnes } from './route-calls.ts';

export const reachCalls = [
  defineCall(reachContract.ofKey, {
    handle(services, context) {
      const { project, scopes } = keyOf(services, context);
      return reachOf(services, project, scopes);
    },
  }),
  defineCall(reachContract.ofScopes, {
    handle(services, context) {
      const { id } = projectOf(services, context);
      return reachOf(services, id, context.body.scopes);
    },
  }),
];

function reachOf(services: Services, project: string, scopes: readonly Scope[]): KeyReach {
  const tags = services.projects.resources.list('tags', project).map(({ path }) => path);
  return keyReach(scopes, routedPipelines(services, project, startedOnes(services)), tags);
}
