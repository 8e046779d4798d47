import type { PlantClock } from '#common/limits/plant-clock.ts';
import type { Settings } from '#common/model/settings.ts';
import type { AddressSet } from '../gates/address.ts';
import type { KeyWatch } from '../gates/key-watch.ts';
import type { KeyRing } from '../gates/keys.ts';
import type { SourceBuckets } from '../gates/source-buckets.ts';
import type { Journal } from '../journal/contract.ts';
import type { CompiledPipeline } from '../pipeline/contract.ts';
import type { RoutingTable } from '../routing/table.ts';
import type { Holder } from '../net/shares.ts';
import type { Traffic } from '../traffic/traffic.ts';
import type { BodyLane } from './body-lane.ts';
import type { CallerShares } from './callers-shares.ts';
import type { HealthPaths } from './health-paths.ts';
import type { HeapWatermark } from './heap-watermark.ts';
import type { PacedRefusals } from './paced-refusals.ts';
import type { Pressure } from './pressure.ts';
import type { RecentRefusals } from './recent-refusals.ts';
import type { RequestIds } from './request-ids.ts';
import type { UnsentReplies } from './unsent-replies.ts';

/**
 * The state that all requests share. There is one object per process: the control channel replaces whole fields,
 * requests read them. The counters are the limits of step 0 (docs/spec/requests.md#steps).
 */
export interface GatewayContext {
  table: RoutingTable;
  readonly keys: KeyRing;
  readonly keyWatch: KeyWatch;
  readonly journal: Journal;
  readonly sourceBuckets: SourceBuckets;
  readonly ids: RequestIds;
  readonly traffic: Traffic;
  readonly recentRefusals: RecentRefusals;
  readonly unsentReplies: UnsentReplies;
  readonly pressure: Pressure;
  readonly pacedRefusals: PacedRefusals;
  /** Refusals of requests with a long body. */
  readonly pacedLongRefusals: PacedRefusals;
  /** The current settings, without the TLS key. The following fields are derived from them for requests. */
  settings: Settings;
  trustedProxies: AddressSet;
  /** Lower-case host names of the gateway itself (docs/spec/routes.md#cors). */
  ownNames: ReadonlySet<string>;
  health: HealthPaths;
  /** For the hours of keys. */
  clock: PlantClock;
  /** RFC 3339; null without TLS. */
  certificateEnd: string | null;
  /** Replies close their connection from now on. */
  draining: boolean;
  /** The grace time of a stop is over: bodies that are still arriving are refused. */
  graceOver: boolean;
  inFlight: number;
  readonly shares: CallerShares;
  readonly heap: HeapWatermark;
  readonly bodyLane: BodyLane;
  /** Called when requests are refused because the heap is full; `by` is the likely cause. */
  onHeapFull(by: Holder): void;
  /** A row of the journal was handed over; the project is null and the pipeline empty if no route was matched. */
  onRow(project: string | null, pipeline: string, bytes: number): void;
  onRefused(event: { requestId: string; code: string; status: number; route: string | null; at: string }): void;
  /** Called after the pipeline's own counter is incremented. */
  onErrorWith200(pipeline: CompiledPipeline): void;
}
