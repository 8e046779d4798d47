import { createHash } from 'node:crypto';
import { page } from '#common/contract/records.ts';
import { routeContract } from '#common/contract/route.ts';
import { callersAddress } from '#common/model/callers-address.ts';
import { sampleOf } from '#common/model/json-sample.ts';
import type { RouteEntry } from '#common/model/openapi-responses.ts';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import { bodySchemaOf, queryNamesOf } from '#common/model/route-contract.ts';
import {
  type CallersGateway,
  ingressNodes,
  pipelineRoutes,
  type RoutedPipeline,
  type RouteRecord,
} from '#common/model/route-record.ts';
import { type RoutesDocument, routesOpenApi } from '#common/model/routes-openapi.ts';
import type { StoredPipeline, StoredStart } from '../contracts.ts';
import { defineCall, type Services, unknown } from './call.ts';
import { pipelineOf, pipelineState } from './pipeline-record.ts';
import { projectOf } from './project-calls.ts';
import { routeServers } from './route-servers.ts';

export const routeCalls = [
  defineCall(routeContract.list, {
    handle: (services) => ({ ...callersGateway(services), ...page(everyRoute(services)), next: null }),
  }),
  defineCall(routeContract.read, {
    handle(services, context) {
      const routed = routedPipeline(services, pipelineOf(services, context));
      const node = context.param('node');
      const route = pipelineRoutes(routed).find((one) => one.node === node);
      if (route === undefined) throw unknown('route');
      const definition = definitionOf(routed, node);
      const bodySchema = bodySchemaOf(definition, node);
      const sampleBody = bodySchema === null ? null : sampleOf(bodySchema);
      const queryNames = queryNamesOf(definition, node);
      return { route, ...callersGateway(services), bodySchema, sampleBody, queryNames };
    },
  }),
  defineCall(routeContract.openApi, {
    handle(services, context) {
      const { id, name } = projectOf(services, context);
      const machine = services.machine();
      const servers = routeServers({
        settings: services.settings.current(),
        port: gatewayPort(services),
        machine,
        host: context.request.headers.host ?? '',
      });
      const entries = routeEntries(services, id);
      const routes = context.query.drafts === 'true' ? entries : entries.filter(({ route }) => route.answers);
      return versioned(routesOpenApi({ title: name, servers, machine: machine.name, routes }), routes);
    },
  }),
];

function callersGateway(services: Services): CallersGateway {
  const settings = services.settings.current();
  return { address: callersAddress(settings, gatewayPort(services)), ownCertificate: settings.tls === 'own' };
}

function gatewayPort({ settings, gateway }: Services): number {
  return gateway.port ?? settings.current().gatewayPort;
}

/** The routes of a project, each with the definition and revision that it belongs to. */
function routeEntries(services: Services, project: string): RouteEntry[] {
  const started = startedOnes(services);
  return services.projects.pipelines(project).flatMap((stored) => {
    const routed = routedOf(services, stored, started);
    return pipelineRoutes(routed).map((route) => {
      const definition = definitionOf(routed, route.node);
      const revision = definition === routed.newest ? stored.revision : (stored.wantedRevision ?? 0);
      return { route, definition, revision };
    });
  });
}

const DIGEST_CHARS = 8;

/**
 * The document with its version: the sum of the revision numbers of its pipelines, which grows with each newer revision
 * that is started, and a digest of everything except the addresses, so that equal versions are equal documents.
 */
function versioned({ info, ...document }: RoutesDocument, routes: readonly RouteEntry[]): Record<string, unknown> {
  const { servers: _, ...contents } = document;
  const digest = createHash('sha256').update(JSON.stringify({ info, contents })).digest('hex').slice(0, DIGEST_CHARS);
  const revisions = new Map(routes.map(({ route, revision }) => [`${route.pipeline} ${revision}`, revision]));
  const sum = [...revisions.values()].reduce((total, revision) => total + revision, 0);
  const { openapi, ...rest } = document;
  return { openapi, info: { ...info, version: `${sum}-${digest}` }, ...rest };
}

function everyRoute(services: Services): RouteRecord[] {
  // In one query: reading the started revision of each of a thousand pipelines would be a thousand queries.
  const started = startedOnes(services);
  return services.projects
    .projects()
    .flatMap(({ id }) => routedPipelines(services, id, started).flatMap(pipelineRoutes));
}

/** The pipelines of a project as routes are read from them. */
export function routedPipelines(services: Services, project: string, started: Started): RoutedPipeline[] {
  return services.projects.pipelines(project).map((stored) => routedOf(services, stored, started));
}

function routedOf({ gateway }: Services, stored: StoredPipeline, started: Started): RoutedPipeline {
  const { project, definition } = stored;
  return {
    project,
    newest: definition,
    started: started.get(keyOf(project, definition.id)) ?? null,
    state: pipelineState(stored, gateway.failed),
  };
}

type Started = ReadonlyMap<string, PipelineDefinition>;

/** Every started revision, by project and pipeline. */
export function startedOnes({ projects }: Services): Started {
  const entry = ({ project, definition }: StoredStart) => [keyOf(project, definition.id), definition] as const;
  return new Map(projects.wanted().map(entry));
}

/** Neither id has a slash. */
function keyOf(project: string, pipeline: string): string {
  return `${project}/${pipeline}`;
}

function routedPipeline({ projects, gateway }: Services, stored: StoredPipeline): RoutedPipeline {
  const { project, definition, wantedRevision } = stored;
  const started = wantedRevision === null ? null : projects.revision(project, definition.id, wantedRevision);
  const state = pipelineState(stored, gateway.failed);
  return { project, newest: definition, started: started?.definition ?? null, state };
}

/** The definition of a route: for a route that exists only in the draft, the newest one. */
function definitionOf({ newest, started }: RoutedPipeline, node: string): PipelineDefinition {
  const own = started !== null && ingressNodes(started).some(({ id }) => id === node);
  return own ? started : newest;
}
