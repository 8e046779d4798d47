import type { ui } from '#common/languages/en/ui.ts';
import type { PipelineDefinition, PipelineNode } from '#common/model/pipeline.ts';
import { wireOf } from '#common/model/wire-text.ts';
import type { Scope } from '#common/scopes.ts';

/** A small pipeline to begin with, which works once its open settings are filled in. */
export interface PipelineTemplate {
  /** Each language has a title and a description for it. */
  readonly id: keyof (typeof ui)['templates']['texts'];
  /** Settings that the author has to decide: a dotted path below the settings of a node, and an example of a value. */
  readonly open: readonly { readonly node: string; readonly field: string; readonly example: unknown }[];
  /** A call of its route and the reply to it; null: it has no route. */
  readonly call: TemplateCall | null;
  readonly grants?: readonly Scope[];
  /** In a text, `{pipeline}` is replaced by the ID of the new pipeline. */
  readonly nodes: readonly TemplateNode[];
  /** Each as a text (wire-text.ts). */
  readonly wires: readonly string[];
}

type TemplateNode = Pick<PipelineNode, 'id' | 'kind' | 'settings'>;

export interface TemplateCall {
  readonly method: 'GET' | 'POST';
  /** The rest of the path, if it is not that of every template. */
  readonly below?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly reply: { readonly status: number; readonly body: unknown };
}

/** The route of most templates. */
export const ROUTE = '/api/v1/{pipeline}';

/** The node `receive`: a route that is called with a key. `more` adds settings and replaces those of most templates. */
export function receive(
  method: TemplateCall['method'],
  requiredScopes: readonly Scope[] = [],
  more: PipelineNode['settings'] = {},
): TemplateNode {
  const settings = { mode: 'ingress', method, urlPattern: ROUTE, authType: 'api_key', requiredScopes, ...more };
  return { id: 'receive', kind: 'rest-api', settings };
}

/** A node that calls a target, whose URL the author fills in. */
export function send(id: string): TemplateNode {
  const settings = { mode: 'egress', url: '', method: 'POST', staticHeaders: {}, timeout: 5 };
  return { id, kind: 'rest-api', settings };
}

/** Nodes have no positions yet: the editor lays them out when it opens. */
export function pipelineFrom(
  template: Pick<PipelineTemplate, 'nodes' | 'wires' | 'grants'>,
  id: string,
  name: string,
): PipelineDefinition {
  const named = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
      typeof inner === 'string' ? inner.replaceAll('{pipeline}', id) : inner,
    );
  return {
    id,
    name,
    runAs: 'caller',
    grants: [...(template.grants ?? [])],
    nodes: template.nodes.map((node) => ({
      ...node,
      position: { x: 0, y: 0 },
      settings: named(node.settings) as PipelineNode['settings'],
    })),
    wires: template.wires.map(wireOf),
  };
}
