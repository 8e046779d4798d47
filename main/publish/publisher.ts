import type { Change, Snapshot } from '#common/control/messages.ts';
import type { Settings } from '#common/model/settings.ts';
import { PEPPER_PURPOSE } from '../vault/key-store.ts';
import type { KeyStore, ProjectStore, SettingsStore, Vault } from '../contracts.ts';

/** Makes what the gateway is sent from what is saved. */
export interface Publisher {
  snapshot(): Snapshot;
  /** A change as the gateway may see it. */
  outgoing(change: Change): Change;
}

export interface PublisherParts {
  dataDir: string;
  machineName: string;
  vault: Pick<Vault, 'derive'>;
  keys: Pick<KeyStore, 'entries'>;
  settings: Pick<SettingsStore, 'current'>;
  projects: Pick<ProjectStore, 'wanted'>;
  refuseAllKeys(): boolean;
}

export function createPublisher(parts: PublisherParts): Publisher {
  return {
    snapshot: () => ({
      dataDir: parts.dataDir,
      settings: withoutHostSecrets(parts.settings.current()),
      machineName: parts.machineName,
      keyPepper: parts.vault.derive(PEPPER_PURPOSE).toString('hex'),
      keys: parts.keys.entries(),
      pipelines: parts.projects.wanted(),
      refuseAllKeys: parts.refuseAllKeys(),
    }),
    outgoing: (change) =>
      change.kind === 'settings' ? { ...change, settings: withoutHostSecrets(change.settings) } : change,
  };
}

/** The metrics token opens the host's own `/metrics`; the gateway, which runs pipeline code, has no use for it. */
function withoutHostSecrets(settings: Settings): Settings {
  return { ...settings, metricsToken: null };
}
