import type { AuditRow, Refusal } from '#common/model/audit.ts';
import { remedyOf } from './remedies.ts';

/** A journal row as the answer to "Why was this refused?"; null when the row is no refusal. */
export function explain(row: AuditRow): Refusal | null {
  const { requestId, code, why, status, time } = row;
  if (requestId === undefined || code === undefined) return null;
  if (why === undefined && (status === undefined || status < 400)) return null;
  const compared = why?.compared ?? {};
  return {
    requestId,
    step: why?.step ?? 11,
    code,
    compared,
    mend: remedyOf(code, why?.cause, compared),
    time,
    ...(status !== undefined && { status }),
    ...(why && { cause: why.cause }),
    ...callOf(row),
  };
}

const CALL = ['method', 'path', 'ip', 'project', 'pipeline', 'route', 'keyId', 'keyName'] as const;

/** The known data of the call itself. */
function callOf(row: AuditRow): Pick<Refusal, (typeof CALL)[number]> {
  return Object.fromEntries(CALL.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));
}
