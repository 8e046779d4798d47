import type { Logger } from '#common/node/log.ts';
import { openVault, type OpenVaultOptions } from '../vault.ts';
import type { OpenedVault } from '../live-vault.ts';

export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** A real vault in a real folder, with its secret in a file. */
export function openTestVault(dataDir: string, more: Partial<OpenVaultOptions> = {}): Promise<OpenedVault> {
  return openVault({ dataDir, secretStore: 'file', packaged: false, log: silent, ...more });
}

/** Saves a setting in the vault: the simplest mutation. */
export function note(vault: OpenedVault, name: string, value = '1'): Promise<void> {
  return vault.mutate((db) => {
    db.run('INSERT INTO settings VALUES (?, ?, ?, ?)', [name, value, '2026-01-01T00:00:00.000Z', 'test']);
  });
}

/** The names that `note` stored, sorted. */
export function notes(vault: OpenedVault): string[] {
  const [result] = vault.read((db) => db.exec('SELECT name FROM settings ORDER BY name'));
  return (result?.values ?? []).map(([name]) => String(name));
}
