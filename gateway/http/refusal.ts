import { sourceNetwork } from '#common/cidr.ts';
import { CATALOGUE, type ErrorCode, type ProblemMembers } from '#common/errors/catalogue.ts';
import type { RecordedCause } from '#common/errors/refusals.ts';
import type { AuditRow, RefusalWhy } from '#common/model/audit.ts';
import type { ExchangeConnection } from './caller.ts';
import type { GatewayContext } from './gateway-context.ts';
import { OVERLOADED_RETRY_SECONDS, STORAGE_RETRY_SECONDS } from './limits.ts';
import { closingAnswer, problemText } from './problem-reply.ts';
import type { RefusalReason } from './refusal-reason.ts';

/** Content of a refusal: header lines (names and values alternate) and an ASCII body. */
export interface RefusalReply {
  readonly status: number;
  readonly lines: string[];
  readonly body: string;
}

const RETRY_SECONDS: Partial<Record<ErrorCode, number>> = {
  overloaded: OVERLOADED_RETRY_SECONDS,
  storage_unavailable: STORAGE_RETRY_SECONDS,
};

export function refusalReply(
  code: ErrorCode,
  requestId: string,
  headers: readonly string[],
  detail?: string,
  members?: ProblemMembers,
): RefusalReply {
  const declared: { title: string; detail?: string } = CATALOGUE[code];
  const body = problemText(code, detail ?? declared.detail ?? declared.title, requestId, members);
  const seconds = RETRY_SECONDS[code];
  const wait = seconds === undefined ? [] : ['Retry-After', String(seconds)];
  const lines = ['Content-Type', 'application/problem+json', 'X-Request-Id', requestId, ...wait, ...headers];
  return { status: CATALOGUE[code].status, lines, body };
}

/** The refusal as a closing response for the socket. `withBody` is false for HEAD. */
export function closingRefusal({ status, lines, body }: RefusalReply, withBody: boolean): string {
  const answer = closingAnswer(status, lines, body);
  return withBody ? answer : answer.slice(0, -body.length);
}

/** Refuses a socket without a readable request: malformed HTTP, a late head, a connection over the limit. */
export function refuseConnection(
  edge: GatewayContext,
  connection: ExchangeConnection,
  code: ErrorCode,
  cause: RecordedCause,
): void {
  const requestId = edge.ids.next();
  const reply = refusalReply(code, requestId, []);
  recordSocket(edge, connection.peer, { requestId, code, cause, compared: {}, bytesOut: reply.body.length }, (ok) => {
    connection.sendClosing(closingRefusal(ok ? reply : refusalReply('audit_unavailable', requestId, []), true));
  });
}

/** The same for a socket that cannot receive a response, such as one whose TLS handshake failed. */
export function recordRefusedSocket(
  edge: GatewayContext,
  peer: string,
  code: ErrorCode,
  cause: RecordedCause,
  compared: RefusalWhy['compared'],
): void {
  recordSocket(edge, peer, { requestId: edge.ids.next(), code, cause, compared, bytesOut: 0 }, () => {});
}

interface SocketRefusal extends Pick<RefusalReason, 'code' | 'cause' | 'compared'> {
  requestId: string;
  bytesOut: number;
}

function recordSocket(edge: GatewayContext, peer: string, refused: SocketRefusal, done: (ok: boolean) => void): void {
  const { requestId, code, cause, compared, bytesOut } = refused;
  const { status } = CATALOGUE[code];
  const row: AuditRow = {
    time: new Date().toISOString(),
    type: 'refusal',
    requestId,
    ip: peer,
    code,
    status,
    bytesOut,
    why: { step: 0, cause, compared },
  };
  edge.onRefused({ requestId, code, status, route: null, at: row.time });
  edge.journal.refuse(row, `${sourceNetwork(peer)}  ${cause}`, done);
}
