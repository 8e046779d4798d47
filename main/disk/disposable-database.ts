import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Logger } from '#common/node/log.ts';
import { UNMAPPED_WAL } from '#common/node/unmapped-wal.ts';

/**
 * Databases of the host that only one connection opens and whose errors must not stop it: traffic figures, past alarms.
 * A file of another version, or an unreadable one, is set aside and replaced by a new one; without a file, memory is
 * used.
 */
export interface DisposableForm {
  /** In the log: "the … cannot be read and start over". */
  readonly what: string;
  readonly version: number;
  readonly schema: string;
  /** Tables that were added later without a new version. */
  readonly added?: string;
  /** Queries that fail on a damaged file. */
  readonly probes: readonly string[];
}

const SIDES = ['', '-wal', '-shm', '-journal'];

/** Never throws. */
export function openDisposable(file: string, form: DisposableForm, log: Logger): DatabaseSync {
  try {
    return open(file, form);
  } catch (error) {
    log.warn(`the ${form.what} cannot be read and start over`, { file, error });
  }
  return replaceDisposable(file, form, log);
}

/** Sets the current file aside and starts a new one. Never throws. */
export function replaceDisposable(file: string, form: DisposableForm, log: Logger): DatabaseSync {
  try {
    setAside(file);
    return open(file, form);
  } catch (error) {
    log.error(`${form.what} are kept in memory only`, { file, error });
    return open(':memory:', form);
  }
}

/** One file is kept aside for diagnosis; the next replaces it. */
function setAside(file: string): void {
  for (const side of SIDES) fs.rmSync(`${file}.damaged${side}`, { recursive: true, force: true });
  for (const side of SIDES) if (fs.existsSync(file + side)) fs.renameSync(file + side, `${file}.damaged${side}`);
}

function open(file: string, { version, schema, added = '', probes }: DisposableForm): DatabaseSync {
  const db = new DatabaseSync(file);
  try {
    if (file !== ':memory:') fs.chmodSync(file, 0o600);
    db.exec(`${UNMAPPED_WAL}; PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 0`);
    const found = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
    if (found === 0 && db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'] === 0)
      db.exec(`BEGIN; ${schema} PRAGMA user_version = ${version}; COMMIT`);
    else if (found !== version) throw new Error(`version ${found} is not ${version}`);
    db.exec(added);
    for (const probe of probes) db.prepare(probe).get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
