import { z } from 'zod';
import { keyReach, type KeyReach, USE_KINDS } from '#common/model/key-reach.ts';
import { scopeList } from '#common/model/fields.ts';
import { type Scope, SCOPES } from '#common/scopes.ts';
import { defineCall, type Services } from './call.ts';
import { keyOf } from './key-calls.ts';
import { projectOf } from './project-calls.ts';
import { routedPipelines, startedOnes } from './route-calls.ts';

const names = z.array(z.string());
const reach = z.strictObject({
  routes: z.array(
    z.strictObject({
      pipeline: z.string(),
      pipelineName: z.string(),
      method: z.string(),
      pattern: z.string(),
      answers: z.boolean(),
      public: z.boolean(),
      missing: z.array(z.enum(SCOPES)).meta({ description: 'What the key lacks; empty = it opens the route.' }),
      allowedIps: names.nullable(),
    }),
  ),
  uses: z.array(
    z.strictObject({
      what: z.enum(USE_KINDS),
      names,
      any: names.meta({ description: 'Pipelines in which the call or a script decides which.' }),
    }),
  ),
});

export const reachCalls = [
  defineCall({
    method: 'get',
    path: '/projects/:project/keys/:key/reach',
    access: 'access_settings',
    summary: 'Show what a key can reach',
    description: 'Lists the routes that the key opens and the capabilities that the pipelines behind them use.',
    response: reach,
    handle(services, context) {
      const { project, scopes } = keyOf(services, context);
      return reachOf(services, project, scopes);
    },
  }),
  defineCall({
    method: 'post',
    path: '/projects/:project/reach',
    access: 'access_settings',
    audit: { none: 'Calculates what scopes would open.' },
    summary: 'Show what scopes would reach',
    description: 'Lists the routes that a key with these scopes would open, before the key is created.',
    body: z.strictObject({ scopes: scopeList }),
    response: reach,
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
