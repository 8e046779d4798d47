import type { AuditRow, Refusal } from '#common/model/audit.ts';
import { explanationOf, remediesOf, remedySentences, valuesOf } from '#common/errors/explanation.ts';
import { errors } from '#common/languages/en/errors.ts';

/** A journal row as the answer to "Why was this refused?"; null if the row is not a refusal. */
export function explain(row: AuditRow): Refusal | null {
  const { requestId, code, why, status, time } = row;
  if (requestId === undefined || code === undefined) return null;
  if (why === undefined && (status === undefined || status < 400)) return null;
  const compared = why?.compared ?? {};
  const found = { code, compared, ...(why && { cause: why.cause }), ...callOf(row) };
  return {
    ...found,
    requestId,
    step: why?.step ?? 11,
    mend: remedyFor(found),
    time,
    ...(status !== undefined && { status }),
  };
}

const CALL = ['method', 'path', 'ip', 'project', 'pipeline', 'route', 'keyId', 'keyName'] as const;

/** The known data of the call itself. */
function callOf(row: AuditRow): Pick<Refusal, (typeof CALL)[number]> {
  return Object.fromEntries(CALL.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));
}

type Found = Omit<Refusal, 'requestId' | 'step' | 'mend'>;

/** How to fix it, in plain English. */
function remedyFor(refusal: Found): string {
  const explanation = explanationOf(refusal);
  if (explanation === null) return 'See the cause. There is no advice for this code.';
  const texts = remediesOf(explanation).map((name) => errors.remedies[name]);
  return remedySentences(texts, 'Or:', valuesOf(refusal, errors.words, 'en'));
}
