import { type ErrorCode, problem } from '#common/errors/catalogue.ts';

/** The text of a gateway-made error (RFC 9457), ASCII and under 1 KB. */
export function problemText(code: ErrorCode, detail: string, requestId: string): string {
  return asciiJson(JSON.stringify(problem(code, detail, requestId)));
}

function asciiJson(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const REASONS: Record<number, string> = {
  200: 'OK',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/**
 * A complete closing response for the socket. Refusals bypass `ServerResponse`, because Node would destroy the socket
 * as soon as the response is written, and a caller that is still sending would see a reset instead of the response.
 */
export function closingAnswer(status: number, headers: readonly string[], body: string): string {
  // RFC 9110, 8.6: a 204 has no length.
  return closingText(status, status === 204 ? [...headers, ...NOSNIFF] : wholeLines(headers, body), body);
}

/** The same, from complete header lines. */
export function closingText(status: number, lines: readonly string[], body: string): string {
  let text = `HTTP/1.1 ${status} ${REASONS[status] ?? 'Refused'}\r\nDate: ${new Date().toUTCString()}\r\n`;
  for (let i = 0; i + 1 < lines.length; i += 2) text += `${lines[i]}: ${lines[i + 1]}\r\n`;
  return `${text}Connection: close\r\n\r\n${body}`;
}

export const NOSNIFF = ['X-Content-Type-Options', 'nosniff'] as const;

/** Header lines plus those that every response of the gateway has. */
export function wholeLines(headers: readonly string[], body: string): string[] {
  return [...headers, 'Content-Length', String(body.length), ...NOSNIFF];
}

/**
 * One plain sentence for the caller. It reveals no range, origin, key, project or pipeline
 * (docs/spec/requests.md#errors).
 */
export const DETAILS = {
  bad_request: 'The gateway accepts only strictly valid HTTP/1.0 and HTTP/1.1.',
  request_timeout: 'The rest of the request did not arrive in time.',
  headers_too_large: 'At most 64 header lines and 8 KiB of headers are accepted.',
  overloaded: 'The gateway serves as many requests as it can. Try again later.',
  not_found: 'No running route answers this method and path.',
  ip_not_allowed: 'This route does not accept calls from your address.',
  origin_not_allowed: 'This route does not accept calls from pages of this origin.',
  key_missing: 'Send the API key in the X-API-Key header.',
  key_invalid: 'The API key in X-API-Key is not valid.',
  key_wrong_project: 'The API key belongs to another project than this route.',
  rate_limited: 'More requests came than this route accepts. Try again after the time in Retry-After.',
  payload_too_large: 'The body is larger than this route accepts.',
  unsupported_media_type: 'Send the body as UTF-8 without content coding.',
  body_invalid: 'The body does not have the form that its Content-Type says.',
  audit_unavailable: 'The audit journal cannot be written; nothing was run.',
  route_timeout: 'The pipeline did not reply in time.',
  value_invalid: 'The pipeline cannot use a value of the request.',
  pipeline_failed: 'The pipeline failed. Its operator finds the cause under the request id.',
} as const satisfies Partial<Record<ErrorCode, string>>;

/** The sentence plus the fault in the caller's own request, which reveals nothing about the gateway's configuration. */
export function faultDetail(code: 'bad_request' | 'body_invalid' | 'value_invalid', fault: string): string {
  return `${DETAILS[code]} Here: ${fault}.`;
}

export const RAN_BUT_UNRECORDED = 'The pipeline ran, but the audit journal cannot be written.';
