import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '#common/node/log.ts';
import { type DisposableForm, openDisposable, replaceDisposable } from '../disk/disposable-database.ts';

/** Tables of `traffic.sqlite`. A file of another version is set aside: figures are not worth a migration. */
const FORM: DisposableForm = {
  what: 'traffic figures',
  version: 1,
  schema: `
  CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE rows (
    span INTEGER NOT NULL, at INTEGER NOT NULL, series INTEGER NOT NULL,
    calls INTEGER NOT NULL, refused INTEGER NOT NULL, errors INTEGER NOT NULL,
    times BLOB NOT NULL, samples BLOB NOT NULL,
    PRIMARY KEY (span, at, series)) STRICT, WITHOUT ROWID;
  CREATE TABLE minutes (
    at INTEGER PRIMARY KEY, measured_ms INTEGER NOT NULL, calls INTEGER NOT NULL, refused INTEGER NOT NULL, p99_ms REAL
  ) STRICT;
  CREATE TABLE last (series INTEGER PRIMARY KEY, at INTEGER NOT NULL, ip TEXT NOT NULL, detail TEXT) STRICT;
`,
  // A file of an earlier version lacks it, and an earlier Sluice ignores it.
  added: `
  CREATE TABLE IF NOT EXISTS key_routes (
    series INTEGER NOT NULL, route TEXT NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL,
    first_passed_at INTEGER, last_passed_at INTEGER, PRIMARY KEY (series, route)) STRICT, WITHOUT ROWID;
`,
  probes: ['SELECT at FROM rows LIMIT 1', 'SELECT at FROM minutes LIMIT 1'],
};

/** Opens the file; an unreadable one is set aside, and if no file can be created, memory is used. Never throws. */
export const openTrafficFile = (file: string, log: Logger): DatabaseSync => openDisposable(file, FORM, log);

/** Sets the current file aside and starts a new one. Never throws. */
export const replaceTrafficFile = (file: string, log: Logger): DatabaseSync => replaceDisposable(file, FORM, log);
