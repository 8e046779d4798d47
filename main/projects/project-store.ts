import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { SluiceError } from '#common/errors/catalogue.ts';
import { inTransaction } from '#common/node/transaction.ts';
import { fieldErrors } from '#common/model/fields.ts';
import { newName, projectId } from '#common/model/ids.ts';
import { z } from 'zod';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import type { HeldSecret, ProjectStore } from '../contracts.ts';
import { createApprovedRoutes } from './approved-routes.ts';
import { withHeldStops } from './held-stops.ts';
import { createResourceStore } from './resource-store.ts';
import { pipelineOf, projectOf, revisionOf, stampOf, startOf, stoppedOf } from './stored-rows.ts';
import { openProjectsFile, type Row } from './transactions.ts';
import { createWriteStops } from './write-stops.ts';
import { stated } from '#common/errors/rules.ts';

/**
 * Projects, pipelines with their revisions, and resources in `projects.sqlite` (docs/spec/storage.md#vault). It
 * contains no secrets, only references to the vault; secrets of deleted resources are listed, so that the caller or the
 * next start can remove them.
 *
 * Every change is one transaction. Limits: `PROJECTS_MAX` projects; the `REVISIONS_MAX` newest revisions of a pipeline
 * are kept, in addition to the desired and the approved one. A pipeline that is deleted and created again starts at
 * revision 1.
 */
export const REVISIONS_MAX = 50;
/** Each may store a few GiB. */
export const PROJECTS_MAX = 500;
/** The number of stopped pipelines whose routes are sent to the gateway. */
export const STOPPED_PIPELINES_MAX = 10_000;
/** An older automatic draft is kept: so a draft of the morning can still be found in the evening. */
export const PASSING_MS_MAX = 30 * 60_000;

export interface ProjectStoreOptions {
  file: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

type Draft = { definition: PipelineDefinition; secrets: readonly HeldSecret[]; passing?: boolean };

const newProject = z.strictObject({ id: projectId, name: newName });

const PIPELINE = `SELECT p.project, p.wanted, p.wanted_at, p.approved, r.revision, r.definition, r.secrets, r.saved_at, r.saved_by
  FROM pipelines p JOIN revisions r ON r.project = p.project AND r.pipeline = p.id AND r.revision = p.newest`;

/** Throws VaultError with one plain sentence if the file cannot be opened. */
export function openProjectStore({ file, now }: ProjectStoreOptions): ProjectStore {
  const db = openProjectsFile(file);
  const timestamp = (): string => new Date(now()).toISOString();
  const get = (sql: string, ...params: SQLInputValue[]): Row | undefined => db.prepare(sql).get(...params);
  const all = (sql: string, ...params: SQLInputValue[]): Row[] => db.prepare(sql).all(...params);

  const findProject = (id: string) => mapRow(get('SELECT * FROM projects WHERE id = ?', id), projectOf);
  const expectProject = (id: string) => findProject(id) ?? unknown('project', id);
  const findPipeline = (project: string, id: string) =>
    mapRow(get(`${PIPELINE} WHERE p.project = ? AND p.id = ?`, project, id), pipelineOf);
  const expectPipeline = (project: string, id: string) => findPipeline(project, id) ?? unknown('pipeline', id);

  function addRevision(project: string, revision: number, draft: Draft, by: string): void {
    const { definition, secrets, passing = false } = draft;
    const sql =
      'INSERT INTO revisions (project, pipeline, revision, definition, secrets, saved_at, saved_by, passing) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
    const texts = [JSON.stringify(definition), JSON.stringify(secrets)];
    db.prepare(sql).run(project, definition.id, revision, ...texts, timestamp(), by, passing ? 1 : 0);
  }

  /** Removes the newest revision if it is an automatic draft that the next save of the same user may replace. */
  function giveWay(project: string, id: string, by: string): void {
    const since = new Date(Date.parse(timestamp()) - PASSING_MS_MAX).toISOString();
    const sql = `DELETE FROM revisions WHERE project = ?1 AND pipeline = ?2 AND passing = 1 AND saved_by = ?3
      AND saved_at >= ?4 AND revision = (SELECT newest FROM pipelines WHERE project = ?1 AND id = ?2)
      AND NOT EXISTS (SELECT 1 FROM pipelines p WHERE p.project = ?1 AND p.id = ?2
        AND (p.wanted IS revisions.revision OR p.approved IS revisions.revision))`;
    db.prepare(sql).run(project, id, by, since);
  }

  function expectRevision(project: string, id: string, revision: number): void {
    expectPipeline(project, id);
    const sql = 'SELECT 1 FROM revisions WHERE project = ? AND pipeline = ? AND revision = ?';
    if (get(sql, project, id, revision) === undefined) unknown('revision', String(revision));
  }

  /** Which of the two is set: `wanted` or `approved`. */
  function point(column: 'wanted' | 'approved', project: string, id: string, revision: number | null): void {
    inTransaction(db, () => {
      if (revision === null) expectPipeline(project, id);
      else expectRevision(project, id, revision);
      db.prepare(`UPDATE pipelines SET ${column} = ? WHERE project = ? AND id = ?`).run(revision, project, id);
      // A revision that was started can be restored: no automatic save replaces it later.
      const keep = 'UPDATE revisions SET passing = 0 WHERE project = ? AND pipeline = ? AND revision = ?';
      if (revision !== null) db.prepare(keep).run(project, id, revision);
      prune(db, project, id);
    });
  }

  const approvedRoutes = createApprovedRoutes(db);
  return withHeldStops({
    resources: createResourceStore(db, timestamp),
    writeStops: createWriteStops(db, now),
    atOnce: (work) => inTransaction(db, work),
    projects: () => all('SELECT * FROM projects ORDER BY id').map(projectOf),
    project: findProject,
    createProject: (input) =>
      inTransaction(db, () => {
        const { id, name } = parsed(newProject, input);
        if (findProject(id)) throw new SluiceError('conflict', stated('project_taken', { id }));
        const count = Number(get('SELECT COUNT(*) AS count FROM projects')?.['count']);
        if (count >= PROJECTS_MAX)
          throw new SluiceError('conflict', `There are already ${PROJECTS_MAX} projects, the most that are kept.`);
        // Deleted data with this ID must not become that of the new project: its folder is removed first.
        if (get('SELECT 1 FROM removals WHERE project = ?', id) !== undefined)
          throw new SluiceError('conflict', `The folder of the deleted project "${id}" still exists; try again.`);
        db.prepare('INSERT INTO projects (id, name, created_at) VALUES (?, ?, ?)').run(id, name, timestamp());
        return expectProject(id);
      }),
    renameProject: (id, name) =>
      inTransaction(db, () => {
        const fresh = parsed(newProject.pick({ name: true }), { name });
        expectProject(id);
        db.prepare('UPDATE projects SET name = ? WHERE id = ?').run(fresh.name, id);
        return expectProject(id);
      }),
    deleteProject: (id) =>
      inTransaction(db, () => {
        expectProject(id);
        db.prepare('DELETE FROM projects WHERE id = ?').run(id);
        db.prepare('INSERT OR IGNORE INTO removals (project) VALUES (?)').run(id);
      }),
    removals: () => all('SELECT project FROM removals ORDER BY project').map(({ project }) => String(project)),
    removed: (id) => void db.prepare('DELETE FROM removals WHERE project = ?').run(id),
    pipelines: (project) => {
      expectProject(project);
      return all(`${PIPELINE} WHERE p.project = ? ORDER BY p.id`, project).map(pipelineOf);
    },
    stamps: () => {
      const sql = `SELECT p.project, p.id, p.newest, p.wanted, r.saved_at FROM pipelines p JOIN revisions r
        ON r.project = p.project AND r.pipeline = p.id AND r.revision = p.newest ORDER BY p.project, p.id`;
      return all(sql).map(stampOf);
    },
    pipeline: findPipeline,
    createPipeline: (project, definition, by, secrets = []) =>
      inTransaction(db, () => {
        const { id } = definition;
        expectProject(project);
        if (findPipeline(project, id)) {
          throw new SluiceError('conflict', stated('pipeline_taken', { id }));
        }
        db.prepare('INSERT INTO pipelines (project, id, newest) VALUES (?, ?, 1)').run(project, id);
        addRevision(project, 1, { definition, secrets }, by);
        return expectPipeline(project, id);
      }),
    savePipeline: (project, definition, by, { ifRevision, passing = false } = {}, secrets = []) =>
      inTransaction(db, () => {
        const { id } = definition;
        const { revision } = expectPipeline(project, id);
        if (ifRevision !== undefined && ifRevision !== revision) {
          const detail = `The newest revision is ${revision}, expected ${ifRevision}; read it again before saving.`;
          throw new SluiceError('revision_changed', detail);
        }
        if (passing) giveWay(project, id, by);
        addRevision(project, revision + 1, { definition, secrets, passing }, by);
        db.prepare('UPDATE pipelines SET newest = ? WHERE project = ? AND id = ?').run(revision + 1, project, id);
        prune(db, project, id);
        return expectPipeline(project, id);
      }),
    deletePipeline: (project, id) =>
      inTransaction(db, () => {
        expectPipeline(project, id);
        db.prepare('DELETE FROM pipelines WHERE project = ? AND id = ?').run(project, id);
      }),
    revisions: (project, id) => {
      expectPipeline(project, id);
      const sql = 'SELECT * FROM revisions WHERE project = ? AND pipeline = ? ORDER BY revision DESC';
      return all(sql, project, id).map(revisionOf);
    },
    revision: (project, id, revision) => {
      const sql = 'SELECT * FROM revisions WHERE project = ? AND pipeline = ? AND revision = ?';
      return mapRow(get(sql, project, id, revision), revisionOf);
    },
    secretRefs: (project, id) => {
      const sql = `SELECT DISTINCT json_extract(held.value, '$.ref') AS ref FROM revisions, json_each(revisions.secrets) AS held
        WHERE (?1 IS NULL OR revisions.project = ?1) AND (?2 IS NULL OR revisions.pipeline = ?2)`;
      return all(sql, project ?? null, id ?? null).map(({ ref }) => String(ref));
    },
    droppedSecrets: () => {
      const sql = `SELECT ref FROM dropped_secrets WHERE ref NOT IN
        (SELECT json_extract(held.value, '$.ref') FROM revisions, json_each(revisions.secrets) AS held)
        AND ref NOT IN (SELECT held.value FROM connections, json_each(connections.secrets) AS held) ORDER BY ref`;
      return all(sql).map(({ ref }) => String(ref));
    },
    secretsRemoved: () => db.exec('DELETE FROM dropped_secrets'),
    setWanted: (project, id, revision) =>
      inTransaction(db, () => {
        point('wanted', project, id, revision);
        const at = revision === null ? null : timestamp();
        db.prepare('UPDATE pipelines SET wanted_at = ? WHERE project = ? AND id = ?').run(at, project, id);
      }),
    setApproved: (project, id, revision) =>
      inTransaction(db, () => {
        point('approved', project, id, revision);
        const row = get(
          'SELECT * FROM revisions WHERE project = ? AND pipeline = ? AND revision = ?',
          project,
          id,
          revision,
        );
        if (row !== undefined) approvedRoutes.remember(project, revisionOf(row).definition);
      }),
    approvedRoutes: approvedRoutes.all,
    wanted: () => {
      const sql = `SELECT p.project, r.revision, r.definition, r.secrets FROM pipelines p JOIN revisions r
        ON r.project = p.project AND r.pipeline = p.id AND r.revision = p.wanted ORDER BY p.project, p.id`;
      return all(sql).map(startOf);
    },
    stopped: () => {
      const sql = `SELECT p.project, r.definition FROM pipelines p JOIN revisions r
        ON r.project = p.project AND r.pipeline = p.id AND r.revision = p.approved WHERE p.wanted IS NULL
        ORDER BY p.project, p.id LIMIT ?`;
      return all(sql, STOPPED_PIPELINES_MAX).map(stoppedOf);
    },
    close: () => {
      if (db.isOpen) db.close();
    },
  });
}

function prune(db: DatabaseSync, project: string, id: string): void {
  const sql = `DELETE FROM revisions WHERE project = ?1 AND pipeline = ?2 AND revision IN (
    SELECT r.revision FROM revisions r JOIN pipelines p ON p.project = r.project AND p.id = r.pipeline
    WHERE r.project = ?1 AND r.pipeline = ?2 AND r.revision IS NOT p.wanted AND r.revision IS NOT p.approved
      AND r.revision NOT IN (SELECT revision FROM revisions WHERE project = ?1 AND pipeline = ?2
        ORDER BY revision DESC LIMIT ?3))`;
  db.prepare(sql).run(project, id, REVISIONS_MAX);
}

function unknown(what: string, id: string): never {
  throw new SluiceError('unknown', `There is no ${what} "${id.slice(0, 64)}".`);
}

function mapRow<T>(row: Row | undefined, map: (row: Row) => T): T | null {
  return row === undefined ? null : map(row);
}

function parsed<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const errors = fieldErrors(result.error);
  throw new SluiceError('invalid', errors.map(({ path, message }) => `${path}: ${message}`).join('; '), { errors });
}
