import { rangeInside } from '../cidr.ts';
import { doMeet, doMethodsMeet, type Ingress, ingressNodes, isSamePath } from './ingress-routes.ts';
import { THING_LISTS, type ThingList, widensList } from './key-limits.ts';
import type { PipelineDefinition } from './pipeline.ts';
import { CREDENTIAL_HEADERS, type RouteSettings, routeSettings } from './route-settings.ts';

/**
 * Privilege widening (docs/spec/users.md#approval-of-starts): the access that a revision allows beyond the last
 * revision that a user with `access_settings` started. A new pipeline or ingress node is compared with the defaults of
 * docs/spec/routes.md#settings.
 *
 * Decisions:
 * - A node is compared with the approved node of the same ID AND with every approved node of the same route, so that
 *   neither renaming a node nor swapping the patterns of two nodes hides a widening.
 * - A route outlives its node: it is compared with the last approval of every route that the same request could reach,
 *   in any pipeline, including deleted ones (`remembered`), unless the pipeline's own approved revision has the route.
 *   So deleting a pipeline, or creating another one for the path, does not open a route. The defaults apply as well.
 * - A new node is compared with the approved nodes that the revision no longer has, so that a new node on another path
 *   does not replace a stricter one.
 * - A public route is a method and a path shape: moving a public node to another path, or from GET to `*`, adds one. On
 *   a keyed route, `*` is a widening if the approved route is stricter than the defaults; otherwise a second node with
 *   the defaults would have the same effect.
 * - Ranges are compared one by one: two halves that together cover a new range do not count as covering it.
 * - Settings that cannot be read count as a widening (the gateway refuses them anyway).
 */
export interface Loosening {
  /** The node; absent if the pipeline itself is widened. */
  node?: string;
  field: string;
  /** Plain text, such as `node "in" drops the required scope db:write`. */
  text: string;
}

/**
 * The privilege widenings of `revision` compared with `approved`; `approved` null: a new pipeline. `remembered`: routes
 * that were approved in any pipeline. Empty: every user who may run the pipeline may start it.
 */
export function loosenings(
  revision: PipelineDefinition,
  approved: PipelineDefinition | null,
  remembered: readonly Ingress[] = [],
): Loosening[] {
  const before = approved === null ? [] : ingressNodes(approved).nodes;
  const after = ingressNodes(revision);
  const kept = new Set(after.nodes.map(({ id }) => id));
  const gone = before.filter(({ id }) => !kept.has(id));
  return [
    ...pipelineLoosenings(revision, approved),
    ...after.unreadable.map((node) => ({
      node,
      field: 'settings',
      text: `the settings of node "${node}" cannot be read`,
    })),
    ...after.nodes.flatMap((node) => nodeLoosenings(node, baselines(node, { before, gone, remembered }))),
    ...after.nodes.flatMap((node) => publicLoosening(node, before)),
  ];
}

const DEFAULTS = routeSettings.parse({ mode: 'ingress' });

/** The grants that `revision` has and `approved` lacks. */
export function addedGrants(revision: PipelineDefinition, approved: PipelineDefinition | null): string[] {
  return revision.grants.filter((grant) => !approved?.grants.includes(grant));
}

/** The limits that `approved` has and `revision` widens. A grant that is new is reported as such. */
export function widenedLimits(revision: PipelineDefinition, approved: PipelineDefinition | null): ThingList[] {
  const [before, after] = [approved?.limits ?? {}, revision.limits ?? {}];
  const concerned = THING_LISTS.filter((list) => list === 'targets' || approved?.grants.includes(list));
  return concerned.filter((list) => widensList(before, after, list));
}

function pipelineLoosenings(revision: PipelineDefinition, approved: PipelineDefinition | null): Loosening[] {
  const found: Loosening[] = addedGrants(revision, approved).map((grant) => ({
    field: 'grants',
    text: `the pipeline adds the grant ${grant}`,
  }));
  for (const list of widenedLimits(revision, approved))
    found.push({ field: 'limits', text: `the pipeline widens its limits for ${list}` });
  if (approved?.rehearsal === true && revision.rehearsal !== true)
    found.push({ field: 'rehearsal', text: 'the pipeline ends its rehearsal, so that its writes are performed' });
  if (revision.runAs === 'pipeline' && approved?.runAs !== 'pipeline') {
    found.push({
      field: 'runAs',
      text: 'the pipeline sets runAs to "pipeline", so that keyed callers get its grants too',
    });
  }
  return found;
}

interface Approved {
  readonly before: readonly Ingress[];
  /** Those nodes of the approved revision that the new one no longer has. */
  readonly gone: readonly Ingress[];
  readonly remembered: readonly Ingress[];
}

/** The approved state for a node. `isNew`: no approved node has its ID or its route. */
interface Baselines {
  readonly isNew: boolean;
  readonly approved: readonly Ingress[];
}

function baselines(node: Ingress, { before, gone, remembered }: Approved): Baselines {
  const sameId = before.filter(({ id }) => id === node.id);
  const sameRoute = before.filter((old) => isSamePath(old, node) && doMethodsMeet(old.route, node.route));
  if (sameRoute.length > 0) {
    // The approved revision may have only some methods of `*`: the others may have been approved elsewhere.
    const others = node.route.method === '*' ? remembered.filter((old) => doMeet(old, node)) : [];
    const unlike = others.filter(({ route }) => !sameRoute.some((own) => hasMethod(own.route, route.method)));
    return { isNew: false, approved: [...new Set([...sameId, ...sameRoute, ...unlike])] };
  }
  const met = [...before, ...remembered].filter((old) => doMeet(old, node));
  const isNew = sameId.length === 0;
  return { isNew, approved: [...new Set([...sameId, ...met, ...(isNew ? gone : [])])] };
}

function hasMethod(route: RouteSettings, method: RouteSettings['method']): boolean {
  return route.method === '*' || route.method === method;
}

function nodeLoosenings(node: Ingress, { isNew, approved }: Baselines): Loosening[] {
  const defaults: RouteSettings[] = isNew ? [DEFAULTS] : [];
  const bases = [...defaults, ...approved.map(({ route }) => route)];
  return unique([
    ...bases.flatMap((base) => routeLoosenings(node, base)),
    ...methodLoosening(
      node,
      approved.map(({ route }) => route),
    ),
  ]);
}

function methodLoosening(node: Ingress, bases: readonly RouteSettings[]): Loosening[] {
  if (node.route.method !== '*' || bases.some(({ method }) => method === '*')) return [];
  const narrow = bases.find((base) => routeLoosenings({ ...node, route: DEFAULTS }, base).length > 0);
  if (narrow === undefined) return [];
  return [
    { node: node.id, field: 'method', text: `node "${node.id}" answers every method instead of ${narrow.method}` },
  ];
}

function publicLoosening(node: Ingress, before: readonly Ingress[]): Loosening[] {
  if (node.route.authType !== 'none') return [];
  const wasPublic = before.some(
    (old) =>
      old.route.authType === 'none' &&
      isSamePath(old, node) &&
      (old.route.method === '*' || old.route.method === node.route.method),
  );
  if (wasPublic) return [];
  const text = `node "${node.id}" adds the public route ${node.route.method} ${node.route.urlPattern}, which needs no key`;
  return [{ node: node.id, field: 'authType', text }];
}

function routeLoosenings({ id, route }: Ingress, base: RouteSettings): Loosening[] {
  const say = (field: string, text: string): Loosening => ({ node: id, field, text: `node "${id}" ${text}` });
  const found: Loosening[] = [];
  // A public base required no scopes of its callers, so none can be dropped.
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

/** A rate of 0 means no limit, which is the widest. */
function widerRate(rate: number, base: number): boolean {
  if (base === 0) return false;
  return rate === 0 || rate > base;
}

function rateText(rate: number): string {
  return rate === 0 ? 'off' : `${rate} a second`;
}

/** Capacity of the token bucket (docs/spec/routes.md#rate-limit). */
function capacity(route: RouteSettings): number {
  return Math.max(1, route.rateLimit) + route.burstLimit;
}

function addedRanges(ranges: readonly string[] | null, base: readonly string[] | null): string[] {
  if (base === null) return [];
  if (ranges === null) return ['any address'];
  return ranges.filter((range) => !base.some((allowed) => rangeInside(range, allowed)));
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
