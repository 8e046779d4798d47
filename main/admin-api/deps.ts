import type { FailedStart } from '#common/control/messages.ts';
import type { Alarm, StatusRecord } from '#common/model/records.ts';
import type { Logger } from '#common/node/log.ts';
import type {
  Audit,
  ClearResources,
  DesktopPort,
  GatewayLink,
  People,
  ProjectStore,
  SecretVault,
  SettingsStore,
  StoredStart,
} from '../contracts.ts';
import type { FleetPort } from '../fleet-contracts.ts';
import type { KeyStore } from '../key-contracts.ts';
import type { UploadWriters } from '../disk/upload-writers.ts';
import type { Alarms } from '../host/alarms.ts';
import type { RestoreUpload } from '../host/restore-upload.ts';
import type { UnsavedChanges } from '../host/unsaved-changes.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ScrapeAddress } from '../metrics/scrape-address.ts';
import type { PluginControl } from '../third-party/plugin-control.ts';
import type { GatewayTls } from '../tls/gateway-tls.ts';
import type { BacklogHistory } from '../traffic/backlog.ts';
import type { KnownRoute, TrafficFigures } from '../traffic/figures.ts';

/** All components that the admin API uses; the host creates them. */
export interface AdminDeps {
  people: People;
  keys: KeyStore;
  settings: SettingsStore;
  /** The certificate on the gateway port. */
  tls: GatewayTls;
  projects: ProjectStore;
  /** Secrets of connections. */
  secrets: SecretVault;
  /** Pipelines that the gateway was asked to run and that are not stored as running yet: their resources are in use. */
  starting: Set<StoredStart>;
  /** For the gateway only: with unencrypted secrets. */
  resources: ClearResources;
  /** The gateway has released the folder of the deleted project. */
  removeProjectFolder: (project: string) => Promise<void>;
  plugins: PluginControl;
  audit: Audit;
  traffic: TrafficFigures;
  backlog: Pick<BacklogHistory, 'of'>;
  metrics: Metrics;
  scrapes: ScrapeAddress;
  /** Every stored route of every pipeline. */
  routes: (failed: readonly FailedStart[]) => KnownRoute[];
  gateway: GatewayLink;
  /** The current alarms. */
  alarms: () => Alarm[];
  /** Actions of users on alarms, and past alarms. */
  alarmActs: Pick<Alarms, 'acknowledge' | 'shelve' | 'unshelve' | 'history'>;
  /** The name and network address of this PC. */
  machine: () => StatusRecord['machine'];
  /** From package.json. */
  version: string;
  /** RFC 3339, UTC. */
  startedAt: string;
  /** The port of the admin API; read at each request, because port 0 is resolved only after listening. */
  uiPort: () => number;
  /** Folder of the built UI (`renderer/dist`); null: only the API, no pages. */
  distDir: string | null;
  /** Folder of the documentation pages (`dist/docs`); null: none are served. */
  docsDir: string | null;
  restore: Pick<RestoreUpload, 'begin' | 'take' | 'check' | 'ready' | 'remove'>;
  /** The whole backup file, its secret wrapped by the passphrase (docs/spec/storage.md#backup), as it is written. */
  backup: (passphrase: string) => Promise<AsyncIterable<Uint8Array>>;
  /**
   * Accepts a restored older vault, in the gateway too (docs/spec/storage.md#an-older-vault). Throws SluiceError
   * `conflict` if there is nothing to confirm.
   */
  confirmVault: () => Promise<void>;
  /** The window around the host; absent in service mode. */
  desktop?: DesktopPort;
  /** Absent outside of a fleet. */
  fleet?: FleetPort;
  /** Changes that are in effect but could not be saved. */
  unsaved: UnsavedChanges;
  /** Current bytes; can be negative. Infinity if unknown. */
  freeAboveReserve: () => number;
  /** Uploads of users count among the writers that the alarms of the disk name. */
  uploads: Pick<UploadWriters, 'note'>;
  /** Frees disk space after a failed write; false if there is nothing left to release. */
  makeRoom: () => boolean;
  log: Logger;
}
