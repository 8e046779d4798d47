import { z } from 'zod';
import { expected } from '../errors/rules.ts';
import { scopeList } from '../model/fields.ts';
import { pipelineLimits, THING_LISTS } from '../model/key-limits.ts';
import { USE_KINDS } from '../model/key-reach.ts';
import { SCOPES } from '../scopes.ts';
import { declareCall } from './declaration.ts';

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
      missing: z.array(z.enum(SCOPES)).meta({ description: 'Scopes that the key lacks; empty = it opens the route.' }),
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

const named = z
  .boolean()
  .meta({ description: 'False: the call or a script chooses the name, within the rights of the run.' });
const thing = z.strictObject({
  keys: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      routes: z.array(z.strictObject({ pipeline: z.string(), method: z.string(), pattern: z.string(), named })),
    }),
  ),
  pipelines: z
    .array(z.strictObject({ id: z.string(), name: z.string(), start: z.string(), named }))
    .meta({ description: 'Without a key: `start` is the kind of the node, `rest-api` a public route.' }),
  people: names
    .nullable()
    .meta({ description: 'Active users who can do it in the admin UI; null without the permission manage_users.' }),
});

const proposal = z.strictObject({
  since: z
    .string()
    .meta({ description: 'Start of the known uses: the start of the gateway or the creation of the key.' }),
  limits: pipelineLimits,
  open: z.array(z.enum(THING_LISTS)).meta({ description: 'Lists that cannot be narrowed.' }),
});

export const reachContract = {
  proposal: declareCall({
    method: 'get',
    path: '/projects/:project/keys/:key/proposal',
    access: 'manage_keys',
    summary: 'Propose limits for a key',
    description:
      'Proposes the narrowest limits that allow what the runs of a key used since the gateway started. Nothing is changed.',
    response: proposal,
  }),
  ofKey: declareCall({
    method: 'get',
    path: '/projects/:project/keys/:key/reach',
    access: 'manage_keys',
    summary: 'Show what a key can reach',
    description: 'Lists the routes that the key opens and the capabilities that the pipelines behind them use.',
    response: reach,
  }),
  ofThing: declareCall({
    method: 'get',
    path: '/projects/:project/reach',
    access: 'manage_keys',
    summary: 'Show who can use a thing',
    description:
      'Lists the valid keys, pipelines and users that can, for example, write a tag, according to the running pipelines, their grants, and the scopes and limits of the keys.',
    query: z.strictObject({
      what: z.enum(USE_KINDS, { error: expected('one_of', { values: USE_KINDS }) }),
      name: z.string({ error: expected('text') }).max(1_024, expected('length_max', { max: 1_024 })),
    }),
    response: thing,
  }),
  ofScopes: declareCall({
    method: 'post',
    path: '/projects/:project/reach',
    access: 'manage_keys',
    audit: { none: 'Calculates what scopes would open.' },
    summary: 'Show what scopes would reach',
    description: 'Lists the routes that a key with these scopes would open, before the key is created.',
    body: z.strictObject({ scopes: scopeList }),
    response: reach,
  }),
};
