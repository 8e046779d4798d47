/** The largest backup that the admin UI restores; larger ones: the command line. */
export const RESTORE_BYTES_MAX = 8 * 1024 ** 3;
/** An upload without requests is removed. */
export const RESTORE_IDLE_MS = 30 * 60_000;
/** One piece of the upload. */
export const RESTORE_PIECE_BYTES = 2 * 1024 ** 2;
/** Names of keys in an answer. */
export const RESTORE_NAMES_MAX = 20;

/**
 * The journal after a restore. `kept`: this folder's, which continues from the backup's. `other`: this folder's, of
 * another PC of the installation. `earlier`: it came with an earlier backup and ends with that. `restored`: it ends with
 * this backup.
 */
export const RESTORE_JOURNALS = ['restored', 'kept', 'other', 'earlier', 'none'] as const;
export type RestoreJournal = (typeof RESTORE_JOURNALS)[number];

export interface NamedKeys {
  count: number;
  /** The first `RESTORE_NAMES_MAX`. */
  names: string[];
}

/** The contents of a backup, and the effect of restoring it on this PC. */
export interface RestorePreview {
  createdAt: string;
  /** The PC that it was made on; null: the backup does not say. */
  machine: string | null;
  version: string | null;
  projects: number;
  pipelines: number;
  /** Keys that are valid in the backup. */
  keys: number;
  /** Active users. */
  users: number;
  journal: RestoreJournal;
  /** Valid in the backup, revoked here. */
  revokedSince: NamedKeys;
  /** Valid here, unknown to the backup. */
  lost: NamedKeys;
  /** Where the admin UI is after the restore, if that changes. */
  uiUrl: string | null;
}
