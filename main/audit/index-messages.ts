import type { FieldError } from '#common/errors/catalogue.ts';
import type { AuditFilter } from '../contracts.ts';

export type IndexCall = { kind: 'search' | 'summary'; filter: AuditFilter } | { kind: 'lastUsed' };
export type IndexQuestion = IndexCall & { id: number };

/** `errors` is set if the query itself was invalid. */
export type IndexAnswer =
  | { id: number; value: unknown }
  | { id: number; error: { message: string; errors: FieldError[] | null } }
  /** The disk is full, and the journal is too large for an index in memory. */
  | { id: number; needsRoom: true };

export interface IndexThreadData {
  folder: string;
  /** Interval between two checks for new rows. */
  lookMs: number;
  /** After this long without new rows, it reports that it is idle. */
  quietMs: number;
}

/** Sent after an idle period, and again until the thread is closed. */
export const QUIET = 'quiet';
