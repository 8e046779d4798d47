import { parsePattern, patternShape, type UrlPattern } from '../pattern.ts';
import type { PipelineDefinition } from './pipeline.ts';
import { type RouteSettings, routeSettings } from './route-settings.ts';

/** An ingress node with the route that it publishes. */
export interface Ingress {
  readonly id: string;
  readonly route: RouteSettings;
  readonly pattern: UrlPattern;
}

/** The ingress nodes of a definition; `unreadable`: the IDs of those with invalid settings. */
export function ingressNodes(definition: PipelineDefinition): { nodes: Ingress[]; unreadable: string[] } {
  const nodes: Ingress[] = [];
  const unreadable: string[] = [];
  for (const node of definition.nodes) {
    // Enabling a node publishes its routes, just as adding it does.
    if (node.off === true) continue;
    if (node.kind !== 'rest-api' || node.settings['mode'] === 'egress') continue;
    const read = readIngress(node.id, node.settings);
    if (read === null) unreadable.push(node.id);
    else nodes.push(read);
  }
  return { nodes, unreadable };
}

/** Null for invalid settings. */
export function readIngress(id: string, settings: unknown): Ingress | null {
  const read = routeSettings.safeParse(settings);
  const parsed = read.success ? parsePattern(read.data.urlPattern) : null;
  return read.success && parsed?.ok === true ? { id, route: read.data, pattern: parsed.pattern } : null;
}

/** The patterns match the same paths; names of parameters are ignored. */
export function isSamePath(a: Ingress, b: Ingress): boolean {
  return patternShape(a.pattern) === patternShape(b.pattern);
}

/** At least one request matches both. */
export function doMeet(a: Ingress, b: Ingress): boolean {
  const [one, other] = [a.pattern.segments, b.pattern.segments];
  if (!doMethodsMeet(a.route, b.route) || one.length !== other.length) return false;
  return one.every((segment, index) => {
    const opposite = other[index];
    if (opposite === undefined || !('literal' in segment) || !('literal' in opposite)) return true;
    return segment.literal === opposite.literal;
  });
}

export function doMethodsMeet(a: Pick<RouteSettings, 'method'>, b: Pick<RouteSettings, 'method'>): boolean {
  return a.method === b.method || a.method === '*' || b.method === '*';
}
