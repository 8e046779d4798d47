import type { z } from 'zod';
import type { pipelineDefinition } from '#common/model/pipeline.ts';
import type { RouteMethod } from '#common/model/route-settings.ts';
import type { Scope } from '#common/scopes.ts';

export type PipelineInput = z.input<typeof pipelineDefinition>;
type NodeInput = NonNullable<PipelineInput['nodes']>[number];

/** A node between ingress and reply; its wire to the next node starts at `port` (`out`). */
export type MiddleNode = Omit<NodeInput, 'id'> & { id?: string; port?: string };

export interface RoutePipeline {
  id?: string;
  method?: RouteMethod;
  path?: string;
  /** Changes of the ingress defaults. */
  route?: Record<string, unknown>;
  /** Nodes between ingress and reply, wired one after the other by port `out` (or `port`). */
  middle?: MiddleNode[];
  /** Settings of the HTTP Response node; null: no such node, so that the caller waits for the timeout. */
  reply?: Record<string, unknown> | null;
  grants?: Scope[];
  runAs?: 'caller' | 'pipeline';
}

let count = 0;

/**
 * A small pipeline: rest-api → …middle → http-response. Without `middle` the reply is 200 with the request's payload
 * as its body.
 */
export function routePipeline(options: RoutePipeline = {}): PipelineInput {
  count += 1;
  const { id = `p-${count}`, method = 'GET', path = `/p/${count}`, route = {}, middle = [ECHO], reply = {} } = options;
  const inner = middle.map((node, index) => ({ ...node, id: node.id ?? `n${index}` }));
  const ingress: NodeInput = {
    id: 'in',
    kind: 'rest-api',
    settings: { mode: 'ingress', method, urlPattern: path, ...route },
  };
  const end: NodeInput[] = reply === null ? [] : [{ id: 'out', kind: 'http-response', settings: reply }];
  const chain = [ingress, ...inner, ...end];
  return {
    id,
    name: id,
    nodes: chain.map((node) => ({ id: node.id, kind: node.kind, settings: node.settings ?? {} })),
    wires: chain.slice(1).map((node, index) => ({
      from: chain[index]?.id ?? '',
      port: inner[index - 1]?.port ?? 'out',
      to: node.id,
    })),
    ...(options.grants && { grants: options.grants }),
    ...(options.runAs && { runAs: options.runAs }),
  };
}

/** Returns the message in the pipeline: `{ body, params, query, headers }`. */
export const ECHO: MiddleNode = {
  kind: 'set',
  settings: {
    assign: [
      { path: 'payload.seen.body', from: 'payload.body' },
      { path: 'payload.seen.params', from: 'payload.params' },
      { path: 'payload.seen.query', from: 'payload.query' },
      { path: 'payload.seen.headers', from: 'payload.headers' },
      { path: 'payload.seen.request', from: 'request' },
      { path: 'payload.seen.caller', from: 'caller' },
      { path: 'payload.body', from: 'payload.seen' },
    ],
  },
};

/** Replies with a fixed body (any JSON) without other nodes. */
export function fixedReply(body: unknown, status = 200): Pick<RoutePipeline, 'middle' | 'reply'> {
  return { middle: [], reply: { status, body } };
}
