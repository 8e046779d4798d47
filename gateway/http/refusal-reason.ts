import { maskKeysInPath } from '#common/api-key.ts';
import { clip } from '#common/clip.ts';
import type { ErrorCode, ProblemMembers } from '#common/errors/catalogue.ts';
import { CAUSES, type Compared, type RecordedCause, type RefusalCause } from '#common/errors/refusals.ts';
import type { RefusalWhy } from '#common/model/audit.ts';

/** The reason why a step refused. `compared` never holds a secret. */
export interface RefusalReason {
  readonly code: ErrorCode;
  readonly step: number;
  readonly cause: RecordedCause;
  readonly compared: RefusalWhy['compared'];
  /** Overrides the sentence of the code. */
  readonly detail?: string;
  /** Further members of the problem, for the caller. */
  readonly members?: ProblemMembers;
}

/** `CAUSES` has the code of each cause and the values in its row. */
export function refusalReason<C extends RefusalCause>(
  step: number,
  cause: C,
  ...[compared]: object extends Compared<C> ? [compared?: Compared<C>] : [compared: Compared<C>]
): RefusalReason {
  return { code: CAUSES[cause].code, step, cause, compared: compared ?? {} };
}

/** Characters of a caller's text in the comparison of a refusal. */
const COMPARED_CHARS_MAX = 200;

/** A text from outside in the form for the comparison of a refusal. */
export function comparedText(text: string): string {
  return clip(maskKeysInPath(text), COMPARED_CHARS_MAX);
}
