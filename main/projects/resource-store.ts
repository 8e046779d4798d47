import type { DatabaseSync } from 'node:sqlite';
import { SluiceError } from '#common/errors/catalogue.ts';
import { inTransaction } from '#common/node/transaction.ts';
import { CONNECTIONS_PER_PROJECT_MAX } from '#common/model/connection.ts';
import { SCRIPTS_PER_PROJECT_MAX } from '#common/model/library-script.ts';
import { QUERIES_PER_PROJECT_MAX } from '#common/model/named-query.ts';
import { TAGS_PER_PROJECT_MAX } from '#common/model/tag.ts';
import type { DraftFamily, ResourceDraft, ResourceFamily, ResourceStore, StoredResources } from '../contracts.ts';
import type { Row } from './transactions.ts';

/**
 * Connections, named queries, tags and library scripts of projects, one table each, and drafts of queries and scripts
 * in a table of their own. All of them are deleted with their project.
 *
 * Limits: `LIMITS` of each family and `RESOURCE_BYTES_MAX` of all together in a project, including drafts, because all
 * resources of a project are sent to the gateway with each change.
 */
export const RESOURCE_BYTES_MAX = 32 * 1024 * 1024;

const LIMITS = {
  connections: CONNECTIONS_PER_PROJECT_MAX,
  queries: QUERIES_PER_PROJECT_MAX,
  tags: TAGS_PER_PROJECT_MAX,
  scripts: SCRIPTS_PER_PROJECT_MAX,
} as const satisfies Record<ResourceFamily, number>;

const FAMILIES: readonly ResourceFamily[] = ['connections', 'queries', 'tags', 'scripts'];

export function createResourceStore(db: DatabaseSync, timestamp: () => string): ResourceStore {
  function expectProject(project: string): void {
    if (db.prepare('SELECT 1 FROM projects WHERE id = ?').get(project) === undefined)
      throw new SluiceError('unknown', `There is no project "${project.slice(0, 64)}".`);
  }

  function insert<F extends ResourceFamily>(family: F, project: string, resource: StoredResources[F]): void {
    const { id, values } = columns(family, resource);
    const names = ['project', 'id', ...Object.keys(values)];
    const marks = names.map(() => '?').join(', ');
    const sql = `INSERT OR REPLACE INTO ${family} (${names.join(', ')}) VALUES (${marks})`;
    db.prepare(sql).run(project, id, ...Object.values(values));
  }

  function expectRoom(family: ResourceFamily, project: string): void {
    const sql = `SELECT COUNT(*) AS n FROM (SELECT id FROM ${family} WHERE project = ?1
      UNION SELECT id FROM drafts WHERE project = ?1 AND family = ?2)`;
    const count = Number(db.prepare(sql).get(project, family)?.['n']);
    if (count > LIMITS[family])
      throw new SluiceError('conflict', `A project has at most ${LIMITS[family]} ${family}; expected no more.`);
    const bytes = [...FAMILIES, 'drafts'].reduce((sum, table) => sum + bytesIn(table, project), 0);
    if (bytes > RESOURCE_BYTES_MAX)
      throw new SluiceError(
        'conflict',
        `The resources of a project have at most ${RESOURCE_BYTES_MAX} bytes together; this change would make them ${bytes}.`,
      );
  }

  function bytesIn(table: string, project: string): number {
    const sql = `SELECT SUM(LENGTH(CAST(definition AS BLOB))) AS bytes FROM ${table} WHERE project = ?`;
    return Number(db.prepare(sql).get(project)?.['bytes'] ?? 0);
  }

  return {
    list(family, project) {
      expectProject(project);
      const rows = db.prepare(`SELECT * FROM ${family} WHERE project = ? ORDER BY id`).all(project);
      return rows.map((row) => stored(family, row));
    },
    get(family, project, id) {
      expectProject(project);
      const row = db.prepare(`SELECT * FROM ${family} WHERE project = ? AND id = ?`).get(project, id);
      return row === undefined ? null : stored(family, row);
    },
    put: (family, project, resource) =>
      inTransaction(db, () => {
        expectProject(project);
        insert(family, project, resource);
        expectRoom(family, project);
      }),
    remove: (family, project, id) =>
      inTransaction(db, () => {
        expectProject(project);
        db.prepare(`DELETE FROM ${family} WHERE project = ? AND id = ?`).run(project, id);
      }),
    replaceTags: (project, tags) =>
      inTransaction(db, () => {
        expectProject(project);
        db.prepare('DELETE FROM tags WHERE project = ?').run(project);
        const sql = db.prepare('INSERT INTO tags (project, id, definition) VALUES (?, ?, ?)');
        for (const tag of tags) sql.run(project, tag.path, JSON.stringify(tag));
        expectRoom('tags', project);
      }),
    drafts(family, project) {
      const sql = 'SELECT * FROM drafts WHERE project = ? AND family = ? ORDER BY id';
      return db
        .prepare(sql)
        .all(project, family)
        .map((row) => draftOf(family, row));
    },
    draft(family, project, id) {
      const sql = 'SELECT * FROM drafts WHERE project = ? AND family = ? AND id = ?';
      const row = db.prepare(sql).get(project, family, id);
      return row === undefined ? null : draftOf(family, row);
    },
    putDraft: (family, project, resource, by) =>
      inTransaction(db, () => {
        expectProject(project);
        const sql =
          'INSERT OR REPLACE INTO drafts (project, family, id, definition, saved_at, saved_by) VALUES (?, ?, ?, ?, ?, ?)';
        db.prepare(sql).run(project, family, resource.id, JSON.stringify(resource), timestamp(), by);
        expectRoom(family, project);
      }),
    removeDraft: (family, project, id) =>
      void db.prepare('DELETE FROM drafts WHERE project = ? AND family = ? AND id = ?').run(project, family, id),
    tagsAfter(project, prefix, after, limit) {
      expectProject(project);
      const sql =
        'SELECT definition FROM tags WHERE project = ? AND id > ? AND substr(id, 1, ?) = ? ORDER BY id LIMIT ?';
      const rows = db.prepare(sql).all(project, after, prefix.length, prefix, limit);
      return rows.map((row) => stored('tags', row));
    },
  };
}

interface Columns {
  id: string;
  values: Record<string, string>;
}

function columns(family: ResourceFamily, resource: StoredResources[ResourceFamily]): Columns {
  if ('definition' in resource) {
    const { definition, secrets } = resource;
    return {
      id: definition.id,
      values: { definition: JSON.stringify(definition), secrets: JSON.stringify(secrets) },
    };
  }
  const id = 'path' in resource ? resource.path : resource.id;
  if (family === 'connections') throw new TypeError('a connection is stored with its references');
  return { id, values: { definition: JSON.stringify(resource) } };
}

/** As saved, without another check, like the definition of a pipeline. */
function stored<F extends ResourceFamily>(family: F, row: Row): StoredResources[F] {
  const definition: unknown = JSON.parse(text(row, 'definition'));
  const value = family === 'connections' ? { definition, secrets: JSON.parse(text(row, 'secrets')) } : definition;
  return value as StoredResources[F];
}

function draftOf<F extends DraftFamily>(family: F, row: Row): ResourceDraft<F> {
  return { resource: stored(family, row), savedAt: text(row, 'saved_at'), savedBy: text(row, 'saved_by') };
}

function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new Error(`the project store's column ${column} holds no text`);
  return value;
}
