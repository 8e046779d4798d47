import { reachContract } from '#common/contract/reach.ts';
import { type KeyReach, keyReach, type UseKind } from '#common/model/key-reach.ts';
import { proposedLimits } from '#common/model/proposed-limits.ts';
import { thingReach } from '#common/model/thing-reach.ts';
import { defineCall, type Services, unknown } from './call.ts';
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
  defineCall(reachContract.proposal, {
    async handle(services, context) {
      const { id, scopes } = keyOf(services, context);
      const used = await services.gateway.call('key-things', { keyId: id });
      if (used === null) throw unknown('key');
      return { since: used.since, ...proposedLimits(scopes, used.lists) };
    },
  }),
  defineCall(reachContract.ofThing, {
    handle(services, context) {
      const { id } = projectOf(services, context);
      const { what, name } = context.query;
      const pipelines = routedPipelines(services, id, startedOnes(services));
      const reach = thingReach({ what, name }, services.keys.list(id), pipelines);
      return { ...reach, people: context.session.permissions.has('manage_users') ? usersFor(services, what) : null };
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

const READS: readonly UseKind[] = ['readTags', 'readHistory', 'readVariables', 'readFiles'];

/** Active users whose roles allow it in the admin UI. */
function usersFor({ people }: Pick<Services, 'people'>, what: UseKind): string[] {
  const needed = READS.includes(what) ? 'view' : 'edit_pipelines';
  const roles = people.roles().filter(({ permissions }) => permissions.includes(needed));
  const names = new Set(roles.map(({ name }) => name));
  const able = people.users().filter(({ active, roles: own }) => active && own.some((role) => names.has(role)));
  return able.map(({ name }) => name).toSorted();
}
