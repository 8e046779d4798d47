import type { EgressAnswer } from '#common/model/egress.ts';
import { EARLIER_TEXT_CHARS_MAX, TRIES_KEPT } from './limits.ts';

/**
 * The tries of an event with one more, oldest first. Of many, the first and the latest are kept; of the earlier ones,
 * only the start of the text.
 */
export function withTry(tries: readonly EgressAnswer[], latest: EgressAnswer): EgressAnswer[] {
  const [first, ...others] = tries.map((one) => ({ ...one, text: one.text.slice(0, EARLIER_TEXT_CHARS_MAX) }));
  if (first === undefined) return [latest];
  return [first, ...others.slice(Math.max(0, others.length - (TRIES_KEPT - 2))), latest];
}
