import { CATALOGUE, type ErrorCode } from '#common/errors/catalogue.ts';
import type { AuditRow, RefusalWhy } from '#common/model/audit.ts';
import type { Connection } from './connection.ts';
import type { Edge } from './edge.ts';
import { closingAnswer, DETAILS, problemText } from './problem-reply.ts';

/** What a step found when it refused. `compared` never holds a secret. */
export interface Finding {
  readonly code: ErrorCode;
  readonly step: number;
  readonly cause: string;
  readonly compared: RefusalWhy['compared'];
  /** Overrides the code's plain sentence. */
  readonly detail?: string;
}

/** A refusal's answer for the socket. `withBody` is false for HEAD. */
export function refusalAnswer(
  code: ErrorCode,
  requestId: string,
  headers: readonly string[],
  withBody: boolean,
  detail?: string,
): { answer: string; bytes: number } {
  const body = problemText(
    code,
    detail ?? (DETAILS as Partial<Record<ErrorCode, string>>)[code] ?? CATALOGUE[code].title,
    requestId,
  );
  const lines = ['Content-Type', 'application/problem+json', 'X-Request-Id', requestId, ...headers];
  const answer = closingAnswer(CATALOGUE[code].status, lines, body);
  return { answer: withBody ? answer : answer.slice(0, -body.length), bytes: withBody ? body.length : 0 };
}

/** Refuses a socket that has no readable request: malformed HTTP, a late head, a connection over the cap. */
export function refuseConnection(edge: Edge, connection: Connection, code: ErrorCode, cause: string): void {
  const requestId = edge.ids.next();
  const { status } = CATALOGUE[code];
  const { answer, bytes } = refusalAnswer(code, requestId, [], true);
  const row: AuditRow = {
    time: new Date().toISOString(),
    type: 'refusal',
    requestId,
    ip: connection.peer,
    code,
    status,
    bytesOut: bytes,
    why: { step: 0, cause, compared: {} },
  };
  edge.onRefused({ requestId, code, status, route: null, at: row.time });
  edge.journal.refuse(row, `${connection.peer}  ${cause}`, (ok) => {
    connection.sendClosing(ok ? answer : refusalAnswer('audit_unavailable', requestId, [], true).answer);
  });
}
