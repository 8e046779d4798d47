import { z } from 'zod';
import { scopeList } from '../model/fields.ts';
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

export const reachContract = {
  ofKey: declareCall({
    method: 'get',
    path: '/projects/:project/keys/:key/reach',
    access: 'manage_keys',
    summary: 'Show what a key can reach',
    description: 'Lists the routes that the key opens and the capabilities that the pipelines behind them use.',
    response: reach,
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
