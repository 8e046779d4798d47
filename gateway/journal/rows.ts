import { maskKeys, maskKeysInPath } from '#common/api-key.ts';
import type { AuditRow } from '#common/model/audit.ts';

/**
 * Journal rows as JSON text, built by concatenation, which is the fastest way on the request path. The part that is
 * fixed for a route is built once (`routeRowPrefix`). Only texts from outside are escaped, and plain ones are only
 * scanned. `time` and `type` come first, as the segment format requires.
 */
export type RouteRowPrefix = string & { readonly routeRowPrefix: unique symbol };

/** The part of a request's rows that is fixed for its route: created once when the pipeline starts. */
export function routeRowPrefix(fixed: { project: string; pipeline: string; route: string }): RouteRowPrefix {
  const { project, pipeline, route } = fixed;
  const text = `,"project":${quote(project)},"pipeline":${quote(pipeline)},"route":${quote(route)}`;
  return text as RouteRowPrefix;
}

/** The same for a path that the gateway itself answers. */
export function ownRowPrefix(fixed: { project: string; route: string }): RouteRowPrefix {
  return `,"project":${quote(fixed.project)},"route":${quote(fixed.route)}` as RouteRowPrefix;
}

/** The common part of the rows of one request, built once for both. */
export type RequestFields = string & { readonly requestFields: unique symbol };

/** `clientRequestId` is '' if there is none. */
export function requestFields(
  prefix: RouteRowPrefix,
  key: { readonly id: string; readonly name: string },
  requestId: string,
  clientRequestId: string,
  method: string,
  path: string,
  ip: string,
): RequestFields {
  const client = clientRequestId === '' ? '' : `,"clientRequestId":${quote(maskKeys(clientRequestId))}`;
  const text =
    `,"requestId":"${requestId}"${client},"keyId":"${key.id}","keyName":${quote(key.name)}${prefix}` +
    `,"method":${quote(method)},"path":${quote(maskKeysInPath(path))},"ip":"${ip}"`;
  return text as RequestFields;
}

/** The use of a key, before its run (docs/spec/journal.md#durability). */
export function useRow(fields: RequestFields): string {
  return `{"time":"${timeText()}","type":"use"${fields}}`;
}

/** The outcome of a run, before its reply (step 11). */
export function outcomeRow(
  fields: RequestFields,
  status: number,
  durationMs: number,
  bytesIn: number,
  bytesOut: number,
): string {
  return (
    `{"time":"${timeText()}","type":"outcome"${fields},"status":${status}` +
    `,"durationMs":${durationMs},"bytesIn":${bytesIn},"bytesOut":${bytesOut}}`
  );
}

/** Any row, with `time` and `type` first and with masked keys. */
export function rowText(row: AuditRow): string {
  const { time, type, ...rest } = row;
  return maskKeys(JSON.stringify({ time, type, ...rest }));
}

let timeMs = 0;
let time = '';

/** The current time as RFC 3339 with milliseconds; formatted once per millisecond. */
export function timeText(): string {
  const now = Date.now();
  if (now === timeMs) return time;
  timeMs = now;
  time = new Date(now).toISOString();
  return time;
}

/** Printable ASCII except `"` and `\`: needs no escape in JSON. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** A JSON string. */
export function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
