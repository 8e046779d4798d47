/**
 * Records of alarms on disk: `alarms.sqlite` (node:sqlite, WAL, `synchronous=NORMAL`).
 *
 * Format: a row for each alarm from its start to its end, with its acknowledgement, note and shelving. Limit: the
 * newest ALARM_RECORDS_PER_CODE_MAX ended ones of each code, so that an alarm that is raised repeatedly does not
 * displace others; codes are fixed and few. Crash and damage: never stop the host. A row that cannot be written is in
 * memory only; a file that cannot be read is set aside as `alarms.sqlite.damaged`. Security: a history, not evidence:
 * the journal proves who acknowledged or shelved an alarm.
 */
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { alarmRecord } from '#common/contract/records.ts';
import type { Logger } from '#common/node/log.ts';
import { type DisposableForm, openDisposable } from '../disk/disposable-database.ts';

export const ALARM_RECORDS_PER_CODE_MAX = 100;

const FORM: DisposableForm = {
  what: 'records of alarms',
  version: 1,
  schema: `
  CREATE TABLE alarms (id INTEGER PRIMARY KEY, code TEXT NOT NULL, ended TEXT, alarm TEXT NOT NULL) STRICT;
  CREATE INDEX alarms_code ON alarms (code, id);
`,
  // Reads every row, like the start of the host.
  probes: ['SELECT sum(length(alarm)) FROM alarms'],
};

const time = z.string().nullable();
const storedAlarm = z.object({
  id: z.number(),
  code: z.string(),
  text: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  phrases: alarmRecord.shape.phrases,
  subject: z.string(),
  endsWhenSeen: z.boolean(),
  since: z.string(),
  endedAt: time,
  acknowledgedAt: time,
  acknowledgedBy: z.string().nullable(),
  shelvedUntil: time,
  shelvedBy: z.string().nullable(),
  note: z.string().nullable(),
});
export type StoredAlarm = z.infer<typeof storedAlarm>;

export interface AlarmRecords {
  /** Alarms that had not ended when the last host did, and those that are still shelved; oldest first. */
  left(): StoredAlarm[];
  /** Replaces the record with the same ID. Never throws. */
  put(alarm: StoredAlarm): void;
  /** Newest first; `before` is an id. */
  page(limit: number, before: number): StoredAlarm[];
  readonly lastId: number;
  /** Later changes are caused by the end of the host and are not recorded. Can be called twice. */
  close(): void;
}

export function openAlarmFile(file: string, log: Logger): AlarmRecords {
  const db = openDisposable(file, FORM, log);
  const put = db.prepare('INSERT OR REPLACE INTO alarms (id, code, ended, alarm) VALUES (?, ?, ?, ?)');
  const prune = db.prepare(
    `DELETE FROM alarms WHERE code = ?1 AND ended IS NOT NULL AND id NOT IN
     (SELECT id FROM alarms WHERE code = ?1 AND ended IS NOT NULL ORDER BY id DESC LIMIT ${ALARM_RECORDS_PER_CODE_MAX})`,
  );
  /** Logged once, until something works again. */
  let isFailing = false;
  let isClosed = false;
  return {
    left: () => rows(db, 'SELECT alarm FROM alarms ORDER BY id'),
    put(alarm) {
      if (isClosed) return;
      try {
        put.run(alarm.id, alarm.code, alarm.endedAt, JSON.stringify(alarm));
        if (alarm.endedAt !== null) prune.run(alarm.code);
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn('a record of an alarm cannot be written', { file, error });
        isFailing = true;
      }
    },
    page: (limit, before) => rows(db, 'SELECT alarm FROM alarms WHERE id < ? ORDER BY id DESC LIMIT ?', before, limit),
    lastId: Number(db.prepare('SELECT max(id) AS id FROM alarms').get()?.['id'] ?? 0),
    close() {
      if (!isClosed) db.close();
      isClosed = true;
    },
  };
}

/** The readable ones. */
function rows(db: DatabaseSync, sql: string, ...values: number[]): StoredAlarm[] {
  return db
    .prepare(sql)
    .all(...values)
    .flatMap((row) => storedAlarm.safeParse(parsed(row['alarm'])).data ?? []);
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}
