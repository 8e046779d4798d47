import { maskKeys, maskKeysInPath } from '#common/api-key.ts';
import { sourceNetwork } from '#common/cidr.ts';
import { CATALOGUE } from '#common/errors/catalogue.ts';
import type { AuditRow } from '#common/model/audit.ts';
import type { HeldKey } from '../gates/keys.ts';
import { ownRowPrefix, requestFields, type RequestFields, type RouteRowPrefix, timeText } from '../journal/rows.ts';
import type { RefusalReason } from './refusal-reason.ts';
import type { RequestContext } from './request-context.ts';

/** The journal rows of a request (docs/spec/journal.md). */

/** The common fields of the row of use and the row of the outcome. */
export function useFields(context: RequestContext, key: HeldKey): RequestFields {
  return fieldsWithPrefix(context, key, context.liveRoute.rowPrefix);
}

export function selfServiceFields(context: RequestContext, key: HeldKey): RequestFields {
  return fieldsWithPrefix(context, key, ownRowPrefix({ project: key.project, route: context.path }));
}

function fieldsWithPrefix(context: RequestContext, key: HeldKey, rowPrefix: RouteRowPrefix): RequestFields {
  const { clientRequestId } = context.head;
  return requestFields(rowPrefix, key, context.id, clientRequestId, context.method, context.path, context.ip);
}

/** After a recorded use, a refusal is the outcome of its run. */
export function refusalRow(context: RequestContext, reason: RefusalReason, bytesOut: number): AuditRow {
  const { code, step, cause, compared } = reason;
  return {
    ...fieldsOf(context),
    type: context.used ? 'outcome' : 'refusal',
    code,
    status: CATALOGUE[code].status,
    bytesOut: context.isHead ? 0 : bytesOut,
    why: { step, cause, compared },
  };
}

export function preflightRow(context: RequestContext): AuditRow {
  return { ...fieldsOf(context), type: 'outcome', code: 'preflight', status: 204 };
}

/** Rows with the same key are folded. One machine can have many addresses of a network. */
export function foldKey(context: RequestContext, cause: string): string {
  return `${context.shownKey?.id ?? sourceNetwork(context.ip)} ${context.route?.id ?? ''} ${cause}`;
}

/** Bytes of a refusal in the journal. Folded ones take less. */
const REFUSAL_ROW_BYTES = 512;

/** Counts a row for the alarm that names the writers of a nearly full disk. */
export function noteRow({ gateway, route }: RequestContext, bytes = REFUSAL_ROW_BYTES): void {
  gateway.onRow(route?.project ?? null, route?.pipeline ?? '', bytes);
}

function fieldsOf(context: RequestContext): AuditRow {
  const row: AuditRow = {
    time: timeText(),
    type: 'refusal',
    requestId: context.id,
    ip: context.ip,
    method: context.method,
    path: maskKeysInPath(context.path),
    durationMs: context.durationMs,
  };
  if (context.head.clientRequestId !== '') row.clientRequestId = maskKeys(context.head.clientRequestId);
  if (context.reader) row.bytesIn = context.reader.received;
  const route = context.route ?? context.near;
  if (route) Object.assign(row, { project: route.project, pipeline: route.pipeline, route: route.pattern.source });
  const key = context.shownKey;
  if (key) Object.assign(row, { keyId: key.id, keyName: key.name });
  return row;
}
