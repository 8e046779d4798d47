import type { AddressSet } from '../gates/address.ts';
import type { KeyRing } from '../gates/keys.ts';
import type { SourceBuckets } from '../gates/source-buckets.ts';
import type { Journal } from '../journal/contract.ts';
import type { CompiledPipeline } from '../pipeline/contract.ts';
import type { RoutingTable } from '../routing/table.ts';
import type { Holder } from '../net/shares.ts';
import type { Traffic } from '../traffic/traffic.ts';
import type { BodyLane } from './body-lane.ts';
import type { CallerShares } from './callers-shares.ts';
import type { HealthPaths } from './health.ts';
import type { HeapWatermark } from './heap-watermark.ts';
import type { PacedRefusals } from './paced-refusals.ts';
import type { Pressure } from './pressure.ts';
import type { RequestIds } from './request-ids.ts';
import type { UnsentReplies } from './unsent-replies.ts';

/**
 * What every request looks at. One object for the process: the control channel swaps its fields whole, requests
 * read them. Counters are the caps of step 0 (docs/spec/requests.md#steps).
 */
export interface GatewayContext {
  table: RoutingTable;
  readonly keys: KeyRing;
  readonly journal: Journal;
  readonly sourceBuckets: SourceBuckets;
  readonly ids: RequestIds;
  readonly traffic: Traffic;
  readonly unsentReplies: UnsentReplies;
  readonly pressure: Pressure;
  readonly pacedRefusals: PacedRefusals;
  /** Of requests with a long body. */
  readonly pacedLongRefusals: PacedRefusals;
  trustedProxies: AddressSet;
  /** Lower-case host names that count as the gateway's own (docs/spec/routes.md#cors). */
  ownNames: ReadonlySet<string>;
  health: HealthPaths;
  /** Replies close their connection from now on. */
  draining: boolean;
  inFlight: number;
  readonly shares: CallerShares;
  readonly heap: HeapWatermark;
  readonly bodyLane: BodyLane;
  /** Calls are refused because the heap is full; `by` likely fills it. */
  onHeapFull(by: Holder): void;
  onRefused(event: { requestId: string; code: string; status: number; route: string | null; at: string }): void;
  /** The pipeline has counted it. */
  onErrorWith200(pipeline: CompiledPipeline): void;
}
