import type { FieldError } from '#common/errors/catalogue.ts';
import type { AuditFilter } from '../contracts.ts';

export type IndexCall = { kind: 'search' | 'summary'; filter: AuditFilter } | { kind: 'lastUsed' };
export type IndexQuestion = IndexCall & { id: number };

/** `errors` is set when the question itself was wrong. */
export type IndexAnswer =
  | { id: number; value: unknown }
  | { id: number; error: { message: string; errors: FieldError[] | null } }
  /** The disk is full, and the journal is too large for an index in memory. */
  | { id: number; needsRoom: true };

export interface IndexThreadData {
  folder: string;
  /** Between two looks for what is new. */
  lookMs: number;
  /** Without anything new for so long, it says so. */
  quietMs: number;
}

/** Sent after a while with nothing to do, and again until the thread is closed. */
export const QUIET = 'quiet';
