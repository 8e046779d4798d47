import type { Explanation } from '#common/errors/refusals.ts';
import type { Refusal } from '#common/model/audit.ts';

/** Whether only a key with more scopes lets the call pass, or one without this call. */
export const asksForScopes = (explanation: Explanation) =>
  explanation === 'scope_missing' || explanation === 'run_scope';

export type StepState = 'passed' | 'refused' | 'skipped';

/**
 * The result of steps 0 to 11 for a request. A source that failed too often is asked to wait instead of learning the
 * fault of its key: there the key, or its scopes, did not pass either.
 */
export function wayOf({ step, cause, keyId }: Refusal): StepState[] {
  const failedToo = cause === 'too_many_failed_keys' ? (keyId === undefined ? 4 : 5) : null;
  return Array.from({ length: 12 }, (_, one) => {
    if (one === step || one === failedToo) return 'refused';
    if (failedToo !== null && one > failedToo && one < step) return 'skipped';
    return one < step ? 'passed' : 'skipped';
  });
}
