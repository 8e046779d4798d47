import type { AuditRow } from './audit.ts';

/** Outcomes of a call (docs/spec/journal.md#counts). */
export const CALL_OUTCOMES = ['passed', 'refused', 'failed'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/**
 * `refused`: Sluice rejected it. `failed`: its pipeline ran, and the caller received status 400 or above. Null for a
 * row that ends no call, such as a use or an audited action.
 */
export function outcomeOf({ type, status = 0, why }: AuditRow): CallOutcome | null {
  if (type === 'refusal') return 'refused';
  if (type !== 'outcome') return null;
  if (status < 400) return 'passed';
  return why !== undefined && status < 500 ? 'refused' : 'failed';
}
