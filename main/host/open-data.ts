import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ChainHead } from '#common/model/audit.ts';
import type { Settings } from '#common/model/settings.ts';
import type { Logger } from '#common/node/log.ts';
import { VERSION } from '#common/version.ts';
import { SPARE_ROWS_FILE, SPARE_ROWS_PURPOSE } from '../audit/spare-rows.ts';
import { openHeldFile } from './held-file.ts';
import { ANCHORS_FILE, ANCHORS_PURPOSE } from '../audit/anchors.ts';
import { openAudit, type AuditStore } from '../audit/audit.ts';
import type { Audit, ClearResources, People, ProjectStore, SecretVault, SettingsStore } from '../contracts.ts';
import type { KeyStore } from '../key-contracts.ts';
import type { SecretStoreMode } from '../keychain/secret-store.ts';
import { elapsedMs } from '../people/elapsed.ts';
import { createPeople } from '../people/people.ts';
import { createPluginStore, type PluginStore } from '../third-party/plugin-store.ts';
import { createClearResources } from '../projects/clear-resources.ts';
import { openProjectStore } from '../projects/project-store.ts';
import { writeBackup } from '../vault/backup.ts';
import { readJournalHeads } from '../vault/journal-heads.ts';
import { createKeyStore } from '../vault/key-store.ts';
import type { OpenedVault } from '../vault/live-vault.ts';
import { putMeta, readMeta } from '../vault/meta.ts';
import { createResourceSecrets } from '../vault/resource-secrets.ts';
import { makeRoomToStart } from '../disk/start-room.ts';
import { createSettingsStore } from '../vault/settings-store.ts';
import { createGatewayTls, type GatewayTls } from '../tls/gateway-tls.ts';
import { keepBeforeUpdate, recordVersion, withWayBack } from '../update/last-version.ts';
import { openVault } from '../vault/vault.ts';
import { PROJECTS_FILE } from '../vault/recovery-hint.ts';
import { createClosers } from './closers.ts';
import { journalRestores } from './journal-restores.ts';
import { attemptStep, type StartStep } from './start-steps.ts';
import { removeProjectFolder, sweepLeftovers } from './project-folders.ts';
import type { FileEdge } from '#common/node/atomic-file.ts';
import type { LostStore } from './stores.ts';
import { watchStores } from './watch-stores.ts';
import { confirmVault, keysRefused, lookAtJournal, settleRollback } from './settle-rollback.ts';

/** The contents of a data folder, opened with its lock: for the host, and for a command when no host is running. */
export interface Data {
  machineName: string;
  /** The disk was nearly full when the data was opened, and there was nothing left to remove. */
  diskFull: boolean;
  vault: OpenedVault;
  keys: KeyStore;
  settings: SettingsStore;
  tls: GatewayTls;
  projects: ProjectStore;
  secrets: SecretVault;
  resources: ClearResources;
  /** Removes the files of a deleted project. */
  removeProjectFolder(project: string): Promise<void>;
  pluginStore: PluginStore;
  people: People;
  audit: Audit;
  /** Base64url: verifies the journal without the vault. */
  auditKey(): string;
  /** True while every key is refused, because an older vault could not be updated from the journal. */
  refuseAllKeys(): boolean;
  backup(passphrase: string, includeJournal?: boolean): Promise<AsyncIterable<Uint8Array>>;
  /** Stores that were lost or replaced, until a user accepts that or they are restored. */
  lostStores(): readonly LostStore[];
  /** Steps that the start could not save, such as on a full disk. */
  unfinished: readonly StartStep[];
  /** Throws SluiceError `conflict` if there is nothing to confirm. */
  confirmVault(): Promise<void>;
  close(): Promise<void>;
}

export interface DataOptions {
  dataDir: string;
  secretStore: SecretStoreMode;
  overrides: Partial<Settings>;
  packaged?: boolean;
  /** Creates a missing or empty project store, at the request of a user. */
  withoutProjects?: boolean;
  /** For tests. */
  files?: FileEdge;
  log: Logger;
}

/** Throws VaultError, or an Error, with a sentence that names the part that cannot be opened and the remedy. */
export async function openData(options: DataOptions): Promise<Data> {
  const { dataDir } = options;
  try {
    const data = await open(options);
    // A full disk must not prevent the start.
    await recordVersion(dataDir, VERSION).catch((error: unknown) =>
      options.log.warn('the version that opened the data could not be recorded', { error }),
    );
    return data;
  } catch (error) {
    throw withWayBack(error, dataDir, VERSION);
  }
}

async function open(options: DataOptions): Promise<Data> {
  const { dataDir, log } = options;
  const closers = createClosers(log);
  let heads: () => ChainHead[] = () => [];
  let diskFull = false;
  const beforeOpen = () => {
    diskFull = makeRoomToStart(dataDir, log).full;
    return keepBeforeUpdate(dataDir, VERSION, log);
  };
  let marks: () => string | null = () => null;
  const vault = await openVault({
    ...options,
    packaged: options.packaged ?? false,
    heads: () => heads(),
    marks: () => marks(),
    beforeOpen,
  });
  closers.push('vault', () => vault.close());
  try {
    const stores = watchStores(vault, options);
    const journalFolder = join(dataDir, 'journal');
    const before = lookAtJournal(vault, journalFolder);
    const readSettings = () => createSettingsStore(vault, { machineName: hostname(), overrides: options.overrides });
    let headFile = () => readSettings().current().journalHeadFile;
    const audit = await openAudit({
      ...journalLimits(readSettings().current()),
      folder: journalFolder,
      anchorsFile: join(dataDir, ANCHORS_FILE),
      anchorKey: vault.derive(ANCHORS_PURPOSE),
      heads: readJournalHeads(vault),
      logExpected: logExpected(vault),
      spare: openHeldFile(dataDir, vault.derive(SPARE_ROWS_PURPOSE), log, SPARE_ROWS_FILE),
      headFile: {
        path: () => headFile(),
        known: () => vault.read((db) => readMeta(db, 'head_file')),
        remember: (path) => vault.mutate((db) => putMeta(db, 'head_file', path)),
        generation: () => vault.generation,
      },
      keptProof: {
        known: () => vault.read((db) => readMeta(db, 'journal_proof')),
        remember: (line) => vault.mutate((db) => putMeta(db, 'journal_proof', line)),
      },
      log,
    });
    closers.push('journal', () => audit.close());
    heads = () => audit.heads();
    const unfinished: StartStep[] = [];
    const attempt = (step: StartStep, act: () => Promise<unknown>) => attemptStep(step, act, unfinished, log);
    await attempt('anchors-log', async () => {
      if (!logExpected(vault)) await vault.mutate((db) => putMeta(db, 'anchors_log_since', new Date().toISOString()));
    });
    if (!(await settleRollback({ vault, audit, log }, journalFolder, before))) unfinished.push('rollback');
    await attempt('restores', () => journalRestores(vault, audit, log));
    // After the replay, which may remove a setting.
    const saved = readSettings();
    headFile = () => saved.current().journalHeadFile;
    const projects = openProjectStore({ file: join(dataDir, PROJECTS_FILE), now: Date.now });
    closers.push('projects', () => projects.close());
    await attempt('stores', () => stores.keep());
    marks = stores.marks;
    const secrets = createResourceSecrets(vault, Date.now);
    const pluginStore = createPluginStore({ vault, folder: join(dataDir, 'plugins'), now: Date.now });
    await pluginStore
      .sweep()
      .catch((error: unknown) => log.error('the plugins folder could not be cleaned up', { error }));
    if (!stores.isLost('projects.sqlite')) await sweepLeftovers({ dataDir, projects, secrets, log });
    return {
      machineName: hostname(),
      diskFull,
      vault,
      settings: { ...saved, change: (patch, by) => changeSettings(saved, audit, patch, by) },
      tls: createGatewayTls({ vault }),
      audit,
      auditKey: () => vault.derive(ANCHORS_PURPOSE).toString('base64url'),
      projects,
      secrets,
      resources: createClearResources(projects, secrets),
      removeProjectFolder: (project) => removeProjectFolder(dataDir, projects, project),
      pluginStore,
      keys: createKeyStore(vault, { now: Date.now, randomBytes, lastUsed: () => null }),
      people: createPeople({ vault, dataDir, now: Date.now, elapsedMs, log }),
      refuseAllKeys: () => keysRefused(vault),
      backup: (passphrase, includeJournal = false) => writeBackup({ vault, dataDir, passphrase, includeJournal }),
      lostStores: stores.lost,
      unfinished,
      confirmVault: () => confirmVault(vault, stores),
      close: closers.close,
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

function logExpected(vault: OpenedVault): boolean {
  return vault.read((db) => readMeta(db, 'anchors_log_since')) !== null;
}

/** The host chain of the journal uses new settings immediately, the gateway chain when the gateway receives them. */
async function changeSettings(
  saved: SettingsStore,
  audit: AuditStore,
  ...[patch, by]: Parameters<SettingsStore['change']>
): Promise<Settings> {
  const changed = await saved.change(patch, by);
  audit.configure(journalLimits(changed));
  void audit.lookOutside();
  return changed;
}

function journalLimits({ journalDays, journalMaxBytes }: Settings): { days: number; maxBytes: number } {
  return { days: journalDays, maxBytes: journalMaxBytes };
}
