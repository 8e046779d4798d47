import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from 'sql.js';
import { SluiceError } from '#common/errors/catalogue.ts';
import { type PluginLoad, type PluginManifest, PLUGINS_MAX } from '#common/model/plugin-manifest.ts';
import { makePrivateFolder, PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '#common/node/private-files.ts';
import { createSerialQueue } from '#common/serial-queue.ts';
import type { Vault } from '../contracts.ts';
import { all, one, type Row, text, textOrNull } from '../vault/rows.ts';
import type { PluginPackage } from './read-package.ts';

/**
 * Third-party plugins (docs/spec/sandbox.md#plugins): files under `plugins/<id>/<digest>/`, their approvals in the
 * vault.
 *
 * States of a version: waiting → approved → replaced (removed). A waiting version is kept beside the approved one and
 * is not used; approving it replaces the other. An approval applies to the digest of all files, so files that were
 * changed on disk are not approved, and the gateway, which checks them on loading, refuses them. Limits: PLUGINS_MAX
 * plugins, one waiting version each. Security: files of a version that is not in the vault are never loaded; they are
 * removed when the store opens.
 */
export interface StoredPlugin {
  readonly id: string;
  readonly digest: string;
  readonly manifest: PluginManifest;
  /** SHA-256 of each file, hex. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly addedAt: string;
  readonly addedBy: string;
  readonly approvedAt: string | null;
  readonly approvedBy: string | null;
}

export interface PluginStore {
  list(): StoredPlugin[];
  /**
   * Stores a version as waiting, in place of an earlier waiting one. For the same digest, the stored data is kept and
   * the files are written again: they may have been changed on disk.
   */
  add(bundle: PluginPackage, by: string): Promise<StoredPlugin>;
  /**
   * Approves the waiting version of that digest. Trusted code needs `confirm` to be `trust <id>`. Throws SluiceError
   * `unknown`, `conflict` (another digest waits), `invalid`.
   */
  approve(id: string, digest: string, confirm: string | null, by: string): Promise<StoredPlugin>;
  /** Removes every version of the plugin; `sweep` removes the files. */
  remove(id: string): Promise<void>;
  /** Sets the versions of the plugin, before a sweep: undoes an applied change. */
  putBack(id: string, versions: readonly StoredPlugin[]): Promise<void>;
  /** The plugins for the gateway to load. */
  loads(): PluginLoad[];
  /** Removes files that belong to no version: the remains of a crash or a replaced version. */
  sweep(): Promise<void>;
}

const DIGEST_CHARS = 16;
const WAITING_MAX = 16;
const COLUMNS = 'id, digest, manifest, hashes, added_at, added_by, approved_at, approved_by';
const TABLE = `CREATE TABLE IF NOT EXISTS plugins (
  id TEXT NOT NULL, digest TEXT NOT NULL, manifest TEXT NOT NULL, hashes TEXT NOT NULL,
  added_at TEXT NOT NULL, added_by TEXT NOT NULL, approved_at TEXT, approved_by TEXT, PRIMARY KEY (id, digest))`;

/** Removes every version of the plugin from the vault's image. */
export function forgetPlugin(db: Database, id: string): void {
  db.exec(TABLE);
  db.run('DELETE FROM plugins WHERE id = ?', [id]);
}

export interface PluginStoreOptions {
  readonly vault: Pick<Vault, 'read' | 'mutate'>;
  /** `<data>/plugins`. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createPluginStore({ vault, folder, now }: PluginStoreOptions): PluginStore {
  const placeOf = ({ id, digest }: { id: string; digest: string }): string =>
    join(folder, id, digest.slice(0, DIGEST_CHARS));
  const list = (): StoredPlugin[] => vault.read(rowsIn).map(pluginOf);
  // One change at a time: each writes files and the vault, and removes files that neither refers to.
  const turns = createSerialQueue(
    WAITING_MAX,
    () => new SluiceError('conflict', 'Too many changes of plugins are waiting; try again.'),
  );
  const stamp = (): string => new Date(now()).toISOString();

  async function sweep(): Promise<void> {
    const wanted = new Set(list().map(placeOf));
    for (const id of await namesIn(folder)) {
      for (const version of await namesIn(join(folder, id))) {
        const place = join(folder, id, version);
        if (!wanted.has(place)) await rm(place, { recursive: true, force: true });
      }
    }
  }

  return {
    list,
    add: (bundle, by) =>
      turns.take(async () => {
        const { digest, hashes } = bundle;
        const { id } = bundle.manifest;
        refuseTooMany(list(), id);
        await writeFiles(placeOf({ id, digest }), bundle);
        const known = list().find((plugin) => plugin.id === id && plugin.digest === digest);
        if (known !== undefined) return known;
        const { manifest } = bundle;
        const waiting = {
          id,
          digest,
          manifest,
          hashes,
          addedAt: stamp(),
          addedBy: by,
          approvedAt: null,
          approvedBy: null,
        };
        await vault.mutate((db) => {
          db.exec(TABLE);
          db.run('DELETE FROM plugins WHERE id = ? AND approved_at IS NULL', [id]);
          insert(db, waiting);
        });
        await sweep();
        return expectPlugin(list(), id, digest);
      }),
    approve: (id, digest, confirm, by) =>
      turns.take(async () => {
        const plugin = expectWaiting(list(), id, digest);
        if (plugin.manifest.trusted && confirm !== `trust ${id}`) throw confirmationMissing(id);
        await vault.mutate((db) => {
          db.run('DELETE FROM plugins WHERE id = ? AND digest <> ?', [id, digest]);
          db.run('UPDATE plugins SET approved_at = ?, approved_by = ? WHERE id = ? AND digest = ?', [
            stamp(),
            by,
            id,
            digest,
          ]);
        });
        return expectPlugin(list(), id, digest);
      }),
    remove: (id) =>
      turns.take(async () => {
        if (!list().some((plugin) => plugin.id === id))
          throw new SluiceError('unknown', `There is no plugin "${id.slice(0, 64)}".`);
        await vault.mutate((db) => forgetPlugin(db, id));
      }),
    putBack: (id, versions) =>
      turns.take(() =>
        vault.mutate((db) => {
          db.run('DELETE FROM plugins WHERE id = ?', [id]);
          for (const version of versions) insert(db, version);
        }),
      ),
    loads: () =>
      list()
        .filter(({ approvedAt }) => approvedAt !== null)
        .map((plugin) => ({
          id: plugin.id,
          folder: placeOf(plugin),
          files: { ...plugin.hashes },
          manifest: plugin.manifest,
        })),
    sweep: () => turns.take(sweep),
  };
}

/** Written to a temporary folder and then moved: a crash leaves nothing that looks like a version. */
async function writeFiles(place: string, { files }: PluginPackage): Promise<void> {
  const fresh = `${place}.new`;
  makePrivateFolder(dirname(dirname(place)));
  await rm(fresh, { recursive: true, force: true });
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(fresh, path)), { recursive: true, mode: PRIVATE_FOLDER_MODE });
    await writeFile(join(fresh, path), bytes, { flag: 'wx', mode: PRIVATE_FILE_MODE, flush: true });
  }
  await rm(place, { recursive: true, force: true });
  await rename(fresh, place);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

function rowsIn(db: Database): Row[] {
  const exists = one(db, `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'plugins'`);
  return exists === null ? [] : all(db, 'SELECT * FROM plugins ORDER BY id, approved_at IS NULL, added_at');
}

function insert(db: Database, plugin: StoredPlugin): void {
  const { id, digest, manifest, hashes, addedAt, addedBy, approvedAt, approvedBy } = plugin;
  db.run(`INSERT INTO plugins (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, [
    id,
    digest,
    JSON.stringify(manifest),
    JSON.stringify(hashes),
    addedAt,
    addedBy,
    approvedAt,
    approvedBy,
  ]);
}

function pluginOf(row: Row): StoredPlugin {
  const manifest: PluginManifest = JSON.parse(text(row, 'manifest'));
  const hashes: Record<string, string> = JSON.parse(text(row, 'hashes'));
  return {
    id: text(row, 'id'),
    digest: text(row, 'digest'),
    manifest,
    hashes,
    addedAt: text(row, 'added_at'),
    addedBy: text(row, 'added_by'),
    approvedAt: textOrNull(row, 'approved_at'),
    approvedBy: textOrNull(row, 'approved_by'),
  };
}

function refuseTooMany(plugins: readonly StoredPlugin[], id: string): void {
  const ids = new Set(plugins.map((plugin) => plugin.id));
  if (ids.has(id) || ids.size < PLUGINS_MAX) return;
  throw new SluiceError('conflict', `There are ${PLUGINS_MAX} plugins already; remove one first.`);
}

function expectPlugin(plugins: readonly StoredPlugin[], id: string, digest: string): StoredPlugin {
  const found = plugins.find((plugin) => plugin.id === id && plugin.digest === digest);
  if (found === undefined) throw new SluiceError('unknown', `There is no plugin "${id.slice(0, 64)}" of that digest.`);
  return found;
}

function expectWaiting(plugins: readonly StoredPlugin[], id: string, digest: string): StoredPlugin {
  const versions = plugins.filter((plugin) => plugin.id === id);
  if (versions.length === 0) throw new SluiceError('unknown', `There is no plugin "${id.slice(0, 64)}".`);
  const found = versions.find((plugin) => plugin.digest === digest);
  if (found === undefined)
    throw new SluiceError(
      'conflict',
      `The plugin ${id} has a different digest now; review it again before you approve it.`,
    );
  return found;
}

function confirmationMissing(id: string): SluiceError {
  const message = `expected "trust ${id}", typed: the plugin asks to run in the gateway with full access to Node`;
  return new SluiceError(
    'invalid',
    `The plugin ${id} is trusted code; its approval needs confirm: "trust ${id}" (on the command line: --trust ${id}).`,
    {
      errors: [{ path: 'confirm', message }],
    },
  );
}
