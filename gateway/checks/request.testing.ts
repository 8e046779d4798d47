import type { KeyEntry } from '#common/control/messages.ts';
import { routeSettings } from '#common/model/route-settings.ts';
import type { Scope } from '#common/scopes.ts';
import { grantsPrincipal } from '../capabilities/principal.ts';
import { makeKeyEntry } from '../gates/key-entry.testing.ts';
import { KeyRing } from '../gates/keys.ts';
import { SourceBuckets } from '../gates/source-buckets.ts';
import type { ExchangeConnection, ExchangeResponse } from '../http/caller.ts';
import { emptyContext } from '../http/empty-context.testing.ts';
import type { GatewayContext } from '../http/gateway-context.ts';
import { RequestContext } from '../http/request-context.ts';
import type { CompiledPipeline } from '../pipeline/contract.ts';
import { liveRoutes, type RunningPipeline } from '../routing/live-route.ts';

const PEPPER = Buffer.alloc(32, 7);
export const FLEET_PEPPER = Buffer.alloc(32, 9);

export interface TestRequest {
  method?: string;
  url?: string;
  peer?: string;
  headers?: Readonly<Record<string, string>>;
}

/** A gateway with one route of project `line`, pipeline `orders`, for checks that are called without a socket. */
export class TestGateway {
  readonly context: GatewayContext;
  readonly pipeline: RunningPipeline;

  /** `route`: settings of its REST API node that replace the defaults. */
  constructor(route: Readonly<Record<string, unknown>> = {}) {
    this.context = emptyContext({
      keys: new KeyRing(PEPPER, FLEET_PEPPER),
      sourceBuckets: new SourceBuckets(10),
      ownNames: new Set(['sluice.local']),
    }).edge;
    const settings = routeSettings.parse({ mode: 'ingress', urlPattern: '/orders/:id', ...route });
    const entries = [{ node: 'in', settings, start: () => undefined }];
    const compiled = { project: 'line', id: 'orders', entries, grants: grantsPrincipal(0), runAs: 'caller' };
    this.pipeline = {
      compiled: compiled as unknown as CompiledPipeline,
      routes: [],
      claims: 0,
      stopped: false,
      onIdle: null,
    };
    this.pipeline.routes = liveRoutes(this.pipeline, new Map(), performance.now());
    this.context.table.put('line/orders', this.pipeline);
  }

  /** Adds a key and returns its value. */
  addKey(more: Partial<KeyEntry> & { scopes?: Scope[] } = {}): { id: string; value: string } {
    const { value, entry } = makeKeyEntry(PEPPER, more);
    this.context.keys.put(entry);
    return { id: entry.id, value };
  }

  /** A request whose head has arrived. */
  request({ method = 'GET', url = '/orders/7', peer = '10.0.0.5', headers = {} }: TestRequest = {}): RequestContext {
    const connection = { peer, scheme: 'http', followsOn: false, keyed: false } as ExchangeConnection;
    const rawHeaders = ['Host', 'sluice.local', ...Object.entries(headers).flat()];
    const req = { method, url, httpVersion: '1.1', rawHeaders, rawTrailers: [], complete: true };
    const unread = { ...req, on: () => undefined };
    return new RequestContext(this.context, connection, unread, {} as ExchangeResponse, false);
  }
}
