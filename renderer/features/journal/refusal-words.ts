import type { Explanation } from '#common/errors/refusals.ts';
import type { Refusal } from '#common/model/audit.ts';

/** Whether the call would pass only with a key with more scopes, or with a pipeline without this capability call. */
export const asksForScopes = (explanation: Explanation) =>
  explanation === 'scope_missing' || explanation === 'run_scope';

export type StepState = 'passed' | 'refused' | 'skipped';

/**
 * The result of steps 0 to 11 for a request. A source that failed too often is asked to wait instead of getting the
 * error of its key: in that case the key, or its scopes, were not accepted either.
 */
export function wayOf({ step, cause, keyId }: Refusal): StepState[] {
  const failedToo = cause === 'too_many_failed_keys' ? (keyId === undefined ? 4 : 5) : null;
  return Array.from({ length: 12 }, (_, one) => {
    if (one === step || one === failedToo) return 'refused';
    if (failedToo !== null && one > failedToo && one < step) return 'skipped';
    return one < step ? 'passed' : 'skipped';
  });
}
