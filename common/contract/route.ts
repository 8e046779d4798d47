import { z } from 'zod';
import { STOPPED_STATUS } from '../errors/gateway-codes.ts';
import { displayName, nodeId, projectId } from '../model/ids.ts';
import { METHODS } from '../model/route-settings.ts';
import { PATTERN_CHARS_MAX } from '../pattern.ts';
import { SCOPES } from '../scopes.ts';
import { declareCall } from './declaration.ts';
import { expected } from '../errors/rules.ts';

const count = z.number().min(0);
const names = z.array(z.string());
const routeRecord = z.strictObject({
  project: projectId,
  pipeline: projectId,
  pipelineName: displayName,
  node: nodeId,
  method: z.enum([...METHODS, '*']),
  pattern: z.string().max(PATTERN_CHARS_MAX),
  state: z.enum(['running', 'stopped', 'failed']),
  answers: z.boolean().meta({ description: `False: it answers ${STOPPED_STATUS}.` }),
  draft: z
    .enum(['same', 'changed', 'added', 'removed'])
    .meta({ description: 'The change to it if the newest revision is started.' }),
  authType: z.enum(['api_key', 'none']),
  requiredScopes: z.array(z.enum(SCOPES)),
  allowedIps: names.nullable().meta({ description: 'Null = any.' }),
  rateLimit: count,
  burstLimit: count,
  maxPayloadSize: count.meta({ description: 'Bytes.' }),
  corsEnabled: z.boolean(),
  allowedOrigins: names,
  headerWhitelist: names,
  timeout: count.meta({ description: 'Seconds.' }),
  unreadable: names.meta({ description: 'Settings that are not valid; the defaults stand in their places.' }),
});
const gateway = {
  address: z.string().meta({ description: 'Where callers reach the gateway: scheme, host and port.' }),
  ownCertificate: z
    .boolean()
    .meta({ description: "True: the gateway uses Sluice's own certificate, which callers must be given." }),
};

export const routeContract = {
  list: declareCall({
    method: 'get',
    path: '/routes',
    access: 'view',
    summary: 'List routes',
    description:
      'Lists the routes of all projects, with their access rules and limits. A route of a started pipeline is shown as it was started, any other as it is in the newest revision.',
    response: z.strictObject({ ...gateway, items: z.array(routeRecord), next: z.null() }),
  }),
  read: declareCall({
    method: 'get',
    path: '/projects/:project/pipelines/:pipeline/routes/:node',
    access: 'view',
    summary: 'Read a route',
    description:
      'Shows one route with the JSON Schema of its body, a sample body that fits, and the names of its query parameters: what a caller needs to send a request.',
    response: z.strictObject({
      route: routeRecord,
      ...gateway,
      bodySchema: z.unknown(),
      sampleBody: z.unknown(),
      queryNames: names,
    }),
  }),
  openApi: declareCall({
    method: 'get',
    path: '/projects/:project/openapi.json',
    access: 'view',
    summary: 'Read the OpenAPI document of a project',
    description:
      'Describes the routes that answer now, for integrators and client generators. With `drafts=true` it also has routes of stopped pipelines and drafts. `info.version` changes whenever the document changes.',
    query: z.strictObject({
      drafts: z.enum(['true', 'false'], { error: expected('one_of', { values: ['true', 'false'] }) }).optional(),
    }),
    response: z.record(z.string(), z.unknown()),
  }),
};
