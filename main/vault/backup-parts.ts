import { z } from 'zod';
import { PROJECTS_FILE } from './recovery-hint.ts';

/**
 * The files of a data folder that are part of a backup, by name (docs/spec/storage.md#backup). Other files do not
 * belong to Sluice.
 */
export const DATABASES = [PROJECTS_FILE, 'outbox.sqlite'] as const;
export const FOLDERS = ['projects', 'plugins', 'tls', 'opcua'] as const;
/** Only on request. They never replace files that the other folder has recorded itself. */
export const RECORD_DATABASES = ['history.sqlite'] as const;
export const RECORD_FOLDERS = ['journal'] as const;
export const RECORD_FILES = ['anchors'] as const;
export const RECORDS: readonly string[] = [...RECORD_DATABASES, ...RECORD_FOLDERS, ...RECORD_FILES];

/**
 * Databases inside the folders: data that the gateway stores for a project, and the index of the journal. They may be
 * written to at any moment. A file of that name elsewhere, such as in a workspace, is an ordinary file.
 */
export const INNER_DATABASE = /^(?:projects\/[^/]+|journal)\/[^/]+\.sqlite$/;

/** Side files of SQLite: a copy of the database includes their content. */
export const SIDE_FILES = /\.sqlite-(?:wal|shm|journal)$/;

export function isSideFile(name: string): boolean {
  return SIDE_FILES.test(name) && INNER_DATABASE.test(name.replace(SIDE_FILES, '.sqlite'));
}

export const MANIFEST_ENTRY = 'manifest.json';
export const IMAGE_ENTRY = 'vault.image';

/** The first entry. `derivationRoot`, base64url, is the secret with which keys are hashed. */
export const manifestSchema = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  generation: z.int().min(0),
  derivationRoot: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  /** The journal that it belongs to (`journal_line` of meta.ts); not recorded by releases up to 1.1. */
  journalLine: z.string().max(64).optional(),
  /** Name of the PC and version of its Sluice; older releases did not record them. */
  machine: z.string().max(255).optional(),
  version: z.string().max(64).optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;
