import type { FieldError } from '#common/errors/catalogue.ts';
import type { AuditFilter } from '../contracts.ts';

export type IndexQuestion = { id: number; kind: 'search'; filter: AuditFilter } | { id: number; kind: 'lastUsed' };

/** `errors` is set when the question itself was wrong. */
export type IndexAnswer =
  { id: number; value: unknown } | { id: number; error: { message: string; errors: FieldError[] | null } };
