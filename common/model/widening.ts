import ipaddr from 'ipaddr.js';
import { parseCidr } from '../cidr.ts';
import { parsePattern, patternShape } from '../pattern.ts';
import type { PipelineDefinition } from './pipeline.ts';
import { CREDENTIAL_HEADERS, type RouteSettings, routeSettings } from './route-settings.ts';

/**
 * The loosening rule (behaviour 9, People): what a revision opens wider than the last revision that somebody holding
 * `access_settings` started. A new pipeline or ingress node is compared with the defaults of service.md 2.1.
 *
 * Decisions:
 * - A node is compared with the approved node of the same id AND with every approved node of the same route, so that
 *   neither renaming a node nor swapping the patterns of two nodes passes a route through loosened.
 * - A public route is a method and a shape of path: moving a public node to another path, or from GET to `*`, adds
 *   one. On a keyed route a wider method is not a loosening: a second node at the defaults would do the same.
 * - Ranges are compared one by one: two halves that together cover a new range do not count as covering it.
 * - Settings that cannot be read count as a loosening (and are refused by the gateway anyway).
 *
 * Known weakness, by the rule itself: whoever may edit may make another pipeline for the same route at the defaults
 * and start it once the narrower one is stopped.
 */
export interface Loosening {
  /** The node, or absent when the pipeline itself is loosened. */
  node?: string;
  field: string;
  /** Plain words, such as `node "in" drops the required scope db:write`. */
  text: string;
}

interface Ingress {
  readonly id: string;
  readonly route: RouteSettings;
  readonly shape: string;
}

/** What `revision` opens wider than `approved`; `approved` null = a new pipeline. Empty = anyone who may run it may start it. */
export function loosenings(revision: PipelineDefinition, approved: PipelineDefinition | null): Loosening[] {
  const before = approved === null ? [] : ingressNodes(approved).nodes;
  const after = ingressNodes(revision);
  return [
    ...pipelineLoosenings(revision, approved),
    ...after.unreadable.map((node) => ({
      node,
      field: 'settings',
      text: `the settings of node "${node}" cannot be read`,
    })),
    ...after.nodes.flatMap((node) => unique(baselines(node, before).flatMap((base) => routeLoosenings(node, base)))),
    ...after.nodes.flatMap((node) => publicLoosening(node, before)),
  ];
}

/** The grants that `revision` has and `approved` lacks. */
export function addedGrants(revision: PipelineDefinition, approved: PipelineDefinition | null): string[] {
  return revision.grants.filter((grant) => !approved?.grants.includes(grant));
}

function pipelineLoosenings(revision: PipelineDefinition, approved: PipelineDefinition | null): Loosening[] {
  const found: Loosening[] = addedGrants(revision, approved).map((grant) => ({
    field: 'grants',
    text: `the pipeline adds the grant ${grant}`,
  }));
  if (revision.runAs === 'pipeline' && approved?.runAs !== 'pipeline') {
    found.push({
      field: 'runAs',
      text: 'the pipeline sets runAs to "pipeline", so that keyed callers get its grants too',
    });
  }
  return found;
}

function ingressNodes(definition: PipelineDefinition): { nodes: Ingress[]; unreadable: string[] } {
  const nodes: Ingress[] = [];
  const unreadable: string[] = [];
  for (const node of definition.nodes) {
    // Switching a node on publishes what it has, as adding it does.
    if (node.off === true) continue;
    if (node.kind !== 'rest-api' || node.settings['mode'] === 'egress') continue;
    const read = routeSettings.safeParse(node.settings);
    const pattern = read.success ? parsePattern(read.data.urlPattern) : null;
    if (read.success && pattern?.ok)
      nodes.push({ id: node.id, route: read.data, shape: patternShape(pattern.pattern) });
    else unreadable.push(node.id);
  }
  return { nodes, unreadable };
}

function baselines(node: Ingress, before: readonly Ingress[]): RouteSettings[] {
  const same = before.filter(
    (old) => old.id === node.id || (old.shape === node.shape && methodsMeet(old.route, node.route)),
  );
  return same.length > 0 ? same.map((old) => old.route) : [routeSettings.parse({ mode: 'ingress' })];
}

function methodsMeet(a: RouteSettings, b: RouteSettings): boolean {
  return a.method === b.method || a.method === '*' || b.method === '*';
}

function publicLoosening(node: Ingress, before: readonly Ingress[]): Loosening[] {
  if (node.route.authType !== 'none') return [];
  const wasPublic = before.some(
    ({ route, shape }) =>
      route.authType === 'none' && shape === node.shape && (route.method === '*' || route.method === node.route.method),
  );
  if (wasPublic) return [];
  const text = `node "${node.id}" adds the public route ${node.route.method} ${node.route.urlPattern}, which needs no key`;
  return [{ node: node.id, field: 'authType', text }];
}

function routeLoosenings({ id, route }: Ingress, base: RouteSettings): Loosening[] {
  const say = (field: string, text: string): Loosening => ({ node: id, field, text: `node "${id}" ${text}` });
  const found: Loosening[] = [];
  // A public base had no callers to ask for scopes, so it has none to drop.
  if (base.authType === 'api_key') {
    const dropped = base.requiredScopes.filter((scope) => !route.requiredScopes.includes(scope));
    for (const scope of dropped) found.push(say('requiredScopes', `drops the required scope ${scope}`));
  }
  for (const range of addedRanges(route.allowedIps, base.allowedIps)) found.push(say('allowedIps', `allows ${range}`));
  for (const origin of addedOrigins(route, base)) {
    found.push(say('allowedOrigins', `allows calls from ${origin === '*' ? 'any origin' : `the origin ${origin}`}`));
  }
  if (widerRate(route.rateLimit, base.rateLimit)) {
    found.push(
      say('rateLimit', `raises the rate limit from ${rateText(base.rateLimit)} to ${rateText(route.rateLimit)}`),
    );
  } else if (route.rateLimit > 0 && base.rateLimit > 0 && capacity(route) > capacity(base)) {
    found.push(say('burstLimit', `raises the burst from ${capacity(base)} to ${capacity(route)} requests at once`));
  }
  for (const name of CREDENTIAL_HEADERS) {
    if (!route.headerWhitelist.includes(name) || base.headerWhitelist.includes(name)) continue;
    found.push(say('headerWhitelist', `hands the header ${name} to the pipeline`));
  }
  if (route.maxPayloadSize > base.maxPayloadSize) {
    found.push(
      say('maxPayloadSize', `raises the max payload size from ${base.maxPayloadSize} to ${route.maxPayloadSize} bytes`),
    );
  }
  return found;
}

/** A rate of 0 is off, hence the widest. */
function widerRate(rate: number, base: number): boolean {
  if (base === 0) return false;
  return rate === 0 || rate > base;
}

function rateText(rate: number): string {
  return rate === 0 ? 'off' : `${rate} a second`;
}

/** The token bucket's size (behaviour 1, Rate and burst). */
function capacity(route: RouteSettings): number {
  return Math.max(1, route.rateLimit) + route.burstLimit;
}

function addedRanges(ranges: readonly string[] | null, base: readonly string[] | null): string[] {
  if (base === null) return [];
  if (ranges === null) return ['any address'];
  return ranges.filter((range) => !base.some((allowed) => rangeInside(range, allowed)));
}

/** True when every address of `inner` is in `outer`. IPv4 and IPv6 never hold one another. */
export function rangeInside(inner: string, outer: string): boolean {
  const small = parseCidr(inner);
  const large = parseCidr(outer);
  if (small === null || large === null || small.family !== large.family || small.prefix < large.prefix) return false;
  return leadingBits(small.address, large.prefix) === leadingBits(large.address, large.prefix);
}

function leadingBits(address: string, count: number): string {
  const bytes = ipaddr.parse(address).toByteArray();
  return bytes
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .slice(0, count);
}

function addedOrigins(route: RouteSettings, base: RouteSettings): string[] {
  const allowed = origins(base);
  if (allowed.includes('*')) return [];
  const wanted = origins(route);
  return wanted.includes('*') ? ['*'] : wanted.filter((origin) => !allowed.includes(origin));
}

function origins(route: RouteSettings): string[] {
  return route.corsEnabled ? route.allowedOrigins.map((origin) => origin.toLowerCase()) : [];
}

function unique(found: readonly Loosening[]): Loosening[] {
  return [...new Map(found.map((loosening) => [loosening.text, loosening])).values()];
}
