import type { Database } from 'sql.js';
import { z } from 'zod';
import { RESTORE_JOURNALS } from '#common/model/restore.ts';
import { putMeta, readMeta } from './meta.ts';

/**
 * Restores that no start has written to the journal yet, inside the restored image, oldest first. The journal can be
 * opened only with the vault's secret, so the next start writes the rows, before anything is served.
 *
 * Limit: the newest `NOTES_MAX`.
 */
const NOTES_MAX = 20;

const notesSchema = z.array(
  z.object({
    /** The time of the restore. */
    at: z.string(),
    /** The time of the backup. */
    createdAt: z.string(),
    /** The outcome of the journal, as in `RestoreReport`. */
    journal: z.enum(RESTORE_JOURNALS),
    /** Absent: somebody on the command line. */
    user: z.string().optional(),
  }),
);
export type RestoreNote = z.infer<typeof notesSchema>[number];

export function restoreNotes(db: Database): RestoreNote[] {
  return notesSchema.parse(JSON.parse(readMeta(db, 'restores') ?? '[]'));
}

export function putRestoreNotes(db: Database, notes: readonly RestoreNote[]): void {
  putMeta(db, 'restores', JSON.stringify(notes.slice(-NOTES_MAX)));
}
