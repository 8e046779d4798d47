import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ChainHead } from '#common/model/audit.ts';
import type { Settings } from '#common/model/settings.ts';
import type { Logger } from '#common/node/log.ts';
import { openAudit } from '../audit/audit.ts';
import type { Audit, KeyStore, People, ProjectStore, SettingsStore } from '../contracts.ts';
import type { SecretStoreMode } from '../keychain/secret-store.ts';
import { createPeople } from '../people/people.ts';
import { openProjectStore } from '../projects/project-store.ts';
import { writeBackup } from '../vault/backup.ts';
import { createKeyStore } from '../vault/key-store.ts';
import type { OpenedVault } from '../vault/live-vault.ts';
import { createSettingsStore } from '../vault/settings-store.ts';
import { openVault } from '../vault/vault.ts';
import { PROJECTS_FILE, VAULT_FILE } from '../vault/way-back.ts';
import { createClosers } from './closers.ts';

/** Everything that a data folder holds, opened under its lock: for the host, and for a command when no host runs. */
export interface Data {
  machineName: string;
  vault: OpenedVault;
  keys: KeyStore;
  settings: SettingsStore;
  projects: ProjectStore;
  people: People;
  audit: Audit;
  /** True while every key is refused, because an older vault could not be made good from the journal. */
  readonly refuseAllKeys: boolean;
  backup(passphrase: string): Promise<AsyncIterable<Uint8Array>>;
  confirmVault(): Promise<void>;
  close(): Promise<void>;
}

export interface DataOptions {
  dataDir: string;
  secretStore: SecretStoreMode;
  overrides: Partial<Settings>;
  packaged?: boolean;
  log: Logger;
}

/** Throws VaultError, or an Error, with a sentence that says what cannot be opened and the way back. */
export async function openData(options: DataOptions): Promise<Data> {
  const { dataDir, log } = options;
  const closers = createClosers(log);
  let audit: Audit | null = null;
  const heads = (): ChainHead[] => audit?.heads() ?? [];
  const vault = await openVault({ ...options, packaged: options.packaged ?? false, heads });
  closers.push('vault', () => vault.close());
  try {
    const machineName = hostname();
    const keys = createKeyStore(vault, { now: Date.now, randomBytes, lastUsed: () => null });
    const settings = createSettingsStore(vault, { machineName, overrides: options.overrides });
    const projects = openProjectStore({ file: join(dataDir, PROJECTS_FILE), now: Date.now });
    closers.push('projects', () => projects.close());
    audit = await openAudit({ dataDir, vault, settings: settings.current(), log });
    closers.push('journal', () => audit?.close());
    const people = createPeople({ vault, dataDir, now: Date.now, log });
    return {
      machineName,
      vault,
      keys,
      settings,
      projects,
      people,
      audit,
      refuseAllKeys: false,
      backup: (passphrase) => writeBackup({ dataDir, vault, projects, passphrase }),
      confirmVault: () => vault.confirmRollback(),
      close: closers.close,
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}
