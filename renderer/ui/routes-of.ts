import type { PipelineDefinition } from '#common/model/pipeline.ts';

/** A published route for a list, read from the definition of a pipeline. */
export interface RouteView {
  method: string;
  pattern: string;
  isPublic: boolean;
  scopes: string[];
}

/** Defaults as in docs/spec/routes.md#settings; an auth type other than "none" requires a key. */
export function routesOf(definition: Pick<PipelineDefinition, 'nodes'>): RouteView[] {
  return definition.nodes
    .filter((node) => node.off !== true && node.kind === 'rest-api' && node.settings['mode'] !== 'egress')
    .map(({ settings }) => ({
      method: text(settings['method'], 'GET'),
      pattern: text(settings['urlPattern'], '/api/v1/example'),
      isPublic: settings['authType'] === 'none',
      scopes: names(settings['requiredScopes']),
    }));
}

const text = (value: unknown, fallback: string) => (typeof value === 'string' ? value : fallback);

function names(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.map(String) : [];
  return list.map((name) => name.trim()).filter((name) => name !== '');
}

/** Whether a key with these scopes may call the route. */
export function opens(route: RouteView, scopes: readonly string[]): boolean {
  return route.isPublic || route.scopes.every((scope) => scopes.includes(scope));
}
