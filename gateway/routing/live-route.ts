import type { RouteStats } from '#common/control/messages.ts';
import { parsePattern, patternShape, type UrlPattern } from '#common/pattern.ts';
import { type ScopeMask, scopeMask } from '#common/scopes.ts';
import { AddressSet } from '../gates/address.ts';
import { type CorsRule, corsRule } from '../gates/origin.ts';
import { TokenBucket } from '../gates/token-bucket.ts';
import { type RouteRowPrefix, routeRowPrefix } from '../journal/rows.ts';
import type { CompiledPipeline, Entry } from '../pipeline/contract.ts';
import { RouteCounters } from '../traffic/route-counters.ts';

/** One running route with everything that does not depend on a request. */
export interface LiveRoute {
  /** `project/pipeline/node` */
  readonly id: string;
  readonly project: string;
  readonly pipeline: string;
  readonly method: string;
  readonly pattern: UrlPattern;
  /** Method and shape: two routes with the same value conflict. */
  readonly shape: string;
  readonly owner: RunningPipeline;
  readonly entry: Entry;
  readonly keyed: boolean;
  readonly requiredScopes: ScopeMask;
  readonly allowed: AddressSet | null;
  readonly bucket: TokenBucket | null;
  readonly rate: number;
  readonly burst: number;
  readonly maxBodyBytes: number;
  readonly timeoutMs: number;
  readonly cors: CorsRule;
  /** Lower-case names; null: no headers are passed on. */
  readonly headerNames: ReadonlySet<string> | null;
  readonly rowPrefix: RouteRowPrefix;
  readonly stats: RouteStats;
  readonly traffic: RouteCounters;
}

/** A pipeline in the live table. `claims` counts requests that were matched to it and are not finished. */
export interface RunningPipeline {
  readonly compiled: CompiledPipeline;
  routes: readonly LiveRoute[];
  claims: number;
  /** Set by a stop: requests that were matched but have not run yet are refused. */
  stopped: boolean;
  /** Called when `claims` reaches 0 after the pipeline has left the table. */
  onIdle: (() => void) | null;
}

/**
 * Creates the routes of a compiled pipeline; the bucket and counters of a predecessor are kept if its limits are the
 * same.
 */
export function liveRoutes(owner: RunningPipeline, before: ReadonlyMap<string, LiveRoute>, nowMs: number): LiveRoute[] {
  return owner.compiled.entries.map((entry) => liveRoute(owner, entry, before, nowMs));
}

function liveRoute(
  owner: RunningPipeline,
  entry: Entry,
  before: ReadonlyMap<string, LiveRoute>,
  nowMs: number,
): LiveRoute {
  const { settings } = entry;
  const { project, id: pipeline } = owner.compiled;
  const id = `${project}/${pipeline}/${entry.node}`;
  const parsed = parsePattern(settings.urlPattern);
  if (!parsed.ok) throw new RangeError(`the URL pattern ${parsed.message}`);
  const known = before.get(id);
  const { method, rateLimit: rate, burstLimit: burst } = settings;
  const stats = {
    project,
    pipeline,
    node: entry.node,
    method,
    pattern: settings.urlPattern,
    calls: 0,
    refused: 0,
    errors: 0,
    errorsWith200: 0,
  };
  const keyed = settings.authType !== 'none';
  const traffic = known?.traffic ?? new RouteCounters(id, keyed, method, settings.urlPattern);
  return {
    id,
    project,
    pipeline,
    method,
    owner,
    entry,
    rate,
    burst,
    pattern: parsed.pattern,
    shape: `${method} ${patternShape(parsed.pattern)}`,
    keyed,
    requiredScopes: scopeMask(settings.requiredScopes),
    allowed: settings.allowedIps === null ? null : new AddressSet(settings.allowedIps),
    bucket:
      rate === 0
        ? null
        : known?.bucket && known.rate === rate && known.burst === burst
          ? known.bucket
          : new TokenBucket(rate, burst, nowMs),
    maxBodyBytes: settings.maxPayloadSize,
    timeoutMs: settings.timeout * 1000,
    cors: corsRule(settings),
    headerNames: settings.headerWhitelist.length === 0 ? null : new Set(settings.headerWhitelist),
    rowPrefix: routeRowPrefix({ project, pipeline, route: settings.urlPattern }),
    stats: known ? Object.assign(known.stats, { method, pattern: settings.urlPattern }) : stats,
    traffic: Object.assign(traffic, { keyed, method, pattern: settings.urlPattern }),
  };
}
