import type { GatewayToHost, HostToGateway, Snapshot } from '#common/control/messages.ts';
import { settingsSchema } from '#common/model/settings.ts';
import type { ChildEnd, GatewayChild } from '../child.ts';

/** A gateway process that is controlled by the test: for time limits, with a fake clock. */
export interface FakeChild extends GatewayChild {
  readonly sent: HostToGateway[];
  readonly killed: boolean;
  say(message: GatewayToHost): void;
  /** Says hello and, once it has its snapshot, ready. */
  serve(): void;
  acknowledge(): void;
  exit(end?: Partial<ChildEnd>): void;
}

export function createFakeChild(pid: number): FakeChild {
  const sent: HostToGateway[] = [];
  let killed = false;
  let exited = false;
  let tell: (message: GatewayToHost) => void = () => {};
  let end: (end: ChildEnd) => void = () => {};
  const exit = (how: Partial<ChildEnd> = {}) => {
    if (exited) return;
    exited = true;
    end({ code: 0, signal: null, ...how });
  };
  return {
    pid,
    sent,
    get killed() {
      return killed;
    },
    send: (message) => void sent.push(message),
    onMessage: (listener) => void (tell = listener),
    onExit: (listener) => void (end = listener),
    kill: () => {
      killed = true;
      exit({ code: null, signal: 'SIGKILL' });
    },
    say: (message) => tell(message),
    serve: () => {
      tell({ type: 'hello', version: '1.2.3', pid, kinds: [] });
      tell({ type: 'ready', port: 8090, plainHttpPort: null, failed: [] });
    },
    acknowledge: () => {
      for (const message of sent) if (message.type === 'change') tell({ type: 'ack', epoch: message.epoch });
    },
    exit,
  };
}

export function emptySnapshot(changes: Partial<Snapshot> = {}): Snapshot {
  return {
    dataDir: '/nowhere',
    settings: settingsSchema.parse({ gatewayHost: '127.0.0.1', gatewayPort: 0 }),
    machineName: 'edge',
    keyPepper: '00'.repeat(32),
    fleetPepper: null,
    outboxKey: '00'.repeat(32),
    keys: [],
    pipelines: [],
    stoppedRoutes: [],
    resources: [],
    plugins: [],
    writeStops: [],
    refuseAllKeys: false,
    refuseFleetKeys: false,
    ...changes,
  };
}
