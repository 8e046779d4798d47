import type { Change, Snapshot } from '#common/control/messages.ts';
import type { Settings } from '#common/model/settings.ts';
import type { GatewayTls } from '../tls/gateway-tls.ts';
import type { PluginStore } from '../third-party/plugin-store.ts';
import { stoppedRoutes } from '../projects/stopped-routes.ts';
import type { FleetKeys } from '../vault/fleet-secrets.ts';
import { PEPPER_PURPOSE } from '../vault/key-store.ts';
import type { WriteStops } from '../projects/write-stops.ts';
import type { ClearResources, ProjectStore, SettingsStore, Vault } from '../contracts.ts';
import type { KeyStore } from '../key-contracts.ts';

/** Events in the outbox are encrypted with `vault.derive` of this purpose, so that they can be read after a restore. */
const OUTBOX_PURPOSE = 'outbox';

/** Creates the snapshot for the gateway from the saved state. */
export interface Publisher {
  snapshot(): Snapshot;
  /** A change as it is sent to the gateway. */
  outgoing(change: Change): Change;
}

export interface PublisherParts {
  dataDir: string;
  machineName: string;
  vault: Pick<Vault, 'derive'>;
  keys: Pick<KeyStore, 'entries'>;
  settings: Pick<SettingsStore, 'current'>;
  projects: Pick<ProjectStore, 'stopped'> & { readonly writeStops: Pick<WriteStops, 'list'> };
  resources: Pick<ClearResources, 'all' | 'wanted'>;
  pluginStore: Pick<PluginStore, 'loads'>;
  refuseAllKeys(): boolean;
  fleetKeys: FleetKeys;
  tls: Pick<GatewayTls, 'forGateway'>;
  /** The port of the last gateway; null before the first. */
  lastPort(): number | null;
  /** Its plain port in addition to TLS; null: it had none. */
  lastPlainPort(): number | null;
}

interface SentPort {
  saved: number | null;
  at: number;
}
type Ports = Record<'port' | 'plain', SentPort>;

export function createPublisher(parts: PublisherParts): Publisher {
  // Port 0 is "any free one", chosen once: callers know the port that was reported when Sluice was ready, so a
  // restarted gateway gets the same one. `sent` prevents a change of other settings from changing it.
  let sent: Ports = { port: { saved: -1, at: 0 }, plain: { saved: null, at: 0 } };
  const prepared = (saved: Settings, free: { port: number; plain: number }): Settings => {
    const settings = withoutHostSecrets(parts.tls.forGateway(saved));
    const { gatewayPort, plainHttpPort } = saved;
    sent = {
      port: { saved: gatewayPort, at: gatewayPort || free.port },
      plain: { saved: plainHttpPort, at: plainHttpPort || free.plain },
    };
    return { ...settings, gatewayPort: sent.port.at, plainHttpPort: plainHttpPort === null ? null : sent.plain.at };
  };
  const known = ({ saved, at }: SentPort): number => (saved === 0 ? at : 0);
  return {
    snapshot: () => ({
      dataDir: parts.dataDir,
      settings: prepared(parts.settings.current(), { port: parts.lastPort() ?? 0, plain: parts.lastPlainPort() ?? 0 }),
      machineName: parts.machineName,
      keyPepper: parts.vault.derive(PEPPER_PURPOSE).toString('hex'),
      fleetPepper: parts.fleetKeys.pepper()?.toString('hex') ?? null,
      outboxKey: parts.vault.derive(OUTBOX_PURPOSE).toString('hex'),
      keys: parts.keys.entries(),
      pipelines: parts.resources.wanted(),
      stoppedRoutes: stoppedRoutes(parts.projects),
      resources: parts.resources.all(),
      plugins: parts.pluginStore.loads(),
      writeStops: parts.projects.writeStops.list(),
      refuseAllKeys: parts.refuseAllKeys(),
      refuseFleetKeys: parts.fleetKeys.refused,
    }),
    outgoing: (change) =>
      change.kind === 'settings'
        ? { ...change, settings: prepared(change.settings, { port: known(sent.port), plain: known(sent.plain) }) }
        : change,
  };
}

/** The metrics token is for the host's own `/metrics`; the gateway, which runs pipeline code, does not need it. */
function withoutHostSecrets(settings: Settings): Settings {
  return { ...settings, metricsToken: null };
}
