import { PlantClock } from '#common/limits/plant-clock.ts';
import { settingsSchema } from '#common/model/settings.ts';
import type { AuditRow } from '#common/model/audit.ts';
import { AddressSet } from '../gates/address.ts';
import { KeyWatch } from '../gates/key-watch.ts';
import { RoutingTable } from '../routing/table.ts';
import { callerShares } from './callers-shares.ts';
import type { GatewayContext } from './gateway-context.ts';
import { HeapWatermark } from './heap-watermark.ts';
import { PacedRefusals } from './paced-refusals.ts';
import { Pressure } from './pressure.ts';
import { RecentRefusals } from './recent-refusals.ts';
import { RequestIds } from './request-ids.ts';

export interface RecordedRefusal {
  readonly row: AuditRow;
  readonly foldKey: string;
}

/** A gateway without routes, for refusals of steps 0 and 1. Its journal keeps them in `refused`. */
export function emptyContext(more: Partial<GatewayContext> = {}): { edge: GatewayContext; refused: RecordedRefusal[] } {
  const refused: RecordedRefusal[] = [];
  const edge = {
    ids: new RequestIds(),
    settings: settingsSchema.parse({}),
    trustedProxies: new AddressSet([]),
    inFlight: 0,
    shares: callerShares(),
    keyWatch: new KeyWatch(() => undefined),
    clock: new PlantClock('UTC'),
    certificateEnd: null,
    recentRefusals: new RecentRefusals(),
    health: { live: '/health/live', ready: null },
    table: new RoutingTable(),
    draining: false,
    graceOver: false,
    heap: new HeapWatermark(),
    pressure: new Pressure(),
    pacedRefusals: new PacedRefusals(),
    traffic: { unrouted: () => undefined },
    unsentReplies: { hold: () => undefined, release: () => undefined },
    journal: {
      state: 'ok',
      refuse(row: AuditRow, foldKey: string, done: (ok: boolean) => void) {
        refused.push({ row, foldKey });
        done(true);
      },
    },
    onRow: () => undefined,
    onRefused: () => undefined,
    ...more,
  } as unknown as GatewayContext;
  return { edge, refused };
}
