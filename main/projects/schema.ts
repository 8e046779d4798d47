import type { DatabaseSync } from 'node:sqlite';

/** Tables of `projects.sqlite`. A released migration is never changed: a new schema is a new migration at the end. */
const STEPS: readonly string[] = [
  `CREATE TABLE projects (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;
   CREATE TABLE pipelines (
     project TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
     id TEXT NOT NULL,
     newest INTEGER NOT NULL,
     wanted INTEGER,
     approved INTEGER,
     PRIMARY KEY (project, id)) STRICT;
   CREATE TABLE revisions (
     project TEXT NOT NULL,
     pipeline TEXT NOT NULL,
     revision INTEGER NOT NULL,
     definition TEXT NOT NULL,
     saved_at TEXT NOT NULL,
     saved_by TEXT NOT NULL,
     PRIMARY KEY (project, pipeline, revision),
     FOREIGN KEY (project, pipeline) REFERENCES pipelines (project, id) ON DELETE CASCADE) STRICT;`,
  // `secrets`: references to the vault by field, as JSON; the definition has null there. `removals`: deleted projects
  // whose folder may still exist.
  `CREATE TABLE connections (
     project TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
     id TEXT NOT NULL,
     definition TEXT NOT NULL,
     secrets TEXT NOT NULL,
     PRIMARY KEY (project, id)) STRICT;
   CREATE TABLE queries (
     project TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
     id TEXT NOT NULL,
     definition TEXT NOT NULL,
     PRIMARY KEY (project, id)) STRICT;
   CREATE TABLE tags (
     project TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
     id TEXT NOT NULL,
     definition TEXT NOT NULL,
     PRIMARY KEY (project, id)) STRICT;
   CREATE TABLE scripts (
     project TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
     id TEXT NOT NULL,
     definition TEXT NOT NULL,
     PRIMARY KEY (project, id)) STRICT;
   CREATE TABLE removals (project TEXT PRIMARY KEY) STRICT;`,
  // References to the vault, as a JSON list of { node, field, ref }; the definition has null there.
  `ALTER TABLE revisions ADD COLUMN secrets TEXT NOT NULL DEFAULT '[]';`,
  // 1: saved automatically in the editor; the next such save replaces it.
  `ALTER TABLE revisions ADD COLUMN passing INTEGER NOT NULL DEFAULT 0;`,
  // When the desired revision was started; null if it was started before this was stored.
  `ALTER TABLE pipelines ADD COLUMN wanted_at TEXT;`,
  // References whose last row may have been removed: only these may be removed from the vault. Absence alone proves
  // nothing, because a store that was lost or is an older copy has fewer references than the vault needs to keep.
  `CREATE TABLE dropped_secrets (ref TEXT PRIMARY KEY) STRICT;
   CREATE TRIGGER revision_dropped AFTER DELETE ON revisions BEGIN
     INSERT OR IGNORE INTO dropped_secrets SELECT json_extract(value, '$.ref') FROM json_each(old.secrets); END;
   CREATE TRIGGER connection_dropped AFTER DELETE ON connections BEGIN
     INSERT OR IGNORE INTO dropped_secrets SELECT value FROM json_each(old.secrets); END;`,
  // Saved named queries and library scripts that are not active.
  `CREATE TABLE drafts (
     project TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
     family TEXT NOT NULL,
     id TEXT NOT NULL,
     definition TEXT NOT NULL,
     saved_at TEXT NOT NULL,
     saved_by TEXT NOT NULL,
     PRIMARY KEY (project, family, id)) STRICT;`,
  // The last approved settings of ingress nodes, including those of deleted pipelines.
  `CREATE TABLE approved_routes (
     project TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
     settings TEXT NOT NULL) STRICT;
   INSERT INTO approved_routes (project, settings)
     SELECT p.project, json_extract(node.value, '$.settings')
     FROM pipelines p JOIN revisions r ON r.project = p.project AND r.pipeline = p.id AND r.revision = p.approved,
       json_each(r.definition, '$.nodes') AS node
     WHERE json_extract(node.value, '$.kind') = 'rest-api'
       AND coalesce(json_extract(node.value, '$.settings.mode'), '') <> 'egress'
       AND coalesce(json_extract(node.value, '$.off'), 0) = 0;`,
  // Stops of writes. `device`: a connection; '': the whole project.
  `CREATE TABLE write_stops (
     project TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
     device TEXT NOT NULL,
     stop TEXT NOT NULL,
     PRIMARY KEY (project, device)) STRICT;`,
];

export const PROJECTS_SCHEMA = STEPS.length;

/** Throws if a newer release wrote the file. */
export function migrateProjects(db: DatabaseSync): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (version > PROJECTS_SCHEMA) {
    throw new Error(`it was written by a newer Sluice (schema ${version}, this one knows ${PROJECTS_SCHEMA})`);
  }
  for (const step of STEPS.slice(version)) db.exec(step);
  db.exec(`PRAGMA user_version = ${PROJECTS_SCHEMA}`);
}
