import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RestoreJournal } from '#common/model/restore.ts';
import { settingsSchema } from '#common/model/settings.ts';
import { VERSION } from '#common/version.ts';
import { compareVersions } from '../cli/update/package-name.ts';
import type { StoreOptions } from '../keychain/open-store.ts';
import { allUsers } from '../people/tables.ts';
import { VaultError } from './errors.ts';
import { loadImages } from './image-store.ts';
import { PROJECTS_FILE } from './recovery-hint.ts';
import { findReplaced } from './replaced-vault.ts';
import { planned } from './restore-plan.ts';
import { expectWhole, type PreparedRestore } from './restore.ts';
import { all, one, text, textOrNull } from './rows.ts';
import { migrate } from './schema.ts';

/** Facts of a prepared restore, for the person who decides. */
export interface RestoreFacts {
  createdAt: string;
  machine: string | null;
  version: string | null;
  projects: number;
  pipelines: number;
  /** IDs of keys by whether they are valid. */
  keys: ReadonlyMap<string, boolean>;
  /** Active ones. */
  users: number;
  uiPort: number;
  /** As the restore would decide now. */
  journal: RestoreJournal;
}

/** Changes nothing. Throws VaultError when this version cannot use the backup. */
export async function factsOf(
  { staging, unpacked }: PreparedRestore,
  options: StoreOptions & { now?: () => number },
): Promise<RestoreFacts> {
  const { folder: dataDir, now = Date.now } = options;
  const { createdAt, machine = null, version = null } = unpacked.manifest;
  if (version !== null && compareVersions(version, VERSION) > 0)
    throw new VaultError(
      'too_new',
      `The backup was made by Sluice ${version}; this is ${VERSION}. Update Sluice first.`,
    );
  const old = await findReplaced(dataDir, options);
  const { journal } = planned(dataDir, staging, unpacked, old, now());
  const counts = unpacked.names.includes(PROJECTS_FILE) ? countProjects(join(staging, PROJECTS_FILE)) : NO_PROJECTS;
  return { createdAt, machine, version, journal, ...counts, ...(await vaultFacts(unpacked.image)) };
}

const NO_PROJECTS = { projects: 0, pipelines: 0 };

function countProjects(file: string): typeof NO_PROJECTS {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const count = (table: string) => Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'] ?? 0);
    return { projects: count('projects'), pipelines: count('pipelines') };
  } finally {
    db.close();
  }
}

async function vaultFacts(image: Uint8Array): Promise<Pick<RestoreFacts, 'keys' | 'users' | 'uiPort'>> {
  const db = (await loadImages()).load(image);
  try {
    expectWhole(db);
    migrate(db);
    const keys = all(db, 'SELECT id, revoked_at FROM keys');
    const port = one(db, "SELECT value FROM settings WHERE name = 'uiPort'");
    return {
      keys: new Map(keys.map((row) => [text(row, 'id'), textOrNull(row, 'revoked_at') === null])),
      users: allUsers(db).filter(({ active }) => active).length,
      uiPort: port === null ? settingsSchema.parse({}).uiPort : Number(JSON.parse(text(port, 'value'))),
    };
  } finally {
    db.close();
  }
}
