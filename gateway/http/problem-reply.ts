import { STATUS_CODES } from 'node:http';
import { type ErrorCode, problem, type ProblemMembers } from '#common/errors/catalogue.ts';
import { GATEWAY_CODES } from '#common/errors/gateway-codes.ts';

/** The text of a gateway-made error (RFC 9457): ASCII, under 1 KB without `members`. */
export function problemText(code: ErrorCode, detail: string, requestId: string, members?: ProblemMembers): string {
  return asciiJson(JSON.stringify({ ...problem(code, detail, requestId), ...members }));
}

export function asciiJson(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Node has the name of 413 from an older RFC. */
const REASONS: Readonly<Record<number, string | undefined>> = { ...STATUS_CODES, 413: 'Content Too Large' };

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

/** The sentence plus the fault in the caller's own request, which reveals nothing about the gateway's configuration. */
export function faultDetail(code: 'bad_request' | 'body_invalid' | 'value_invalid', fault: string): string {
  return `${GATEWAY_CODES[code].detail} Cause: ${fault}.`;
}

export const RAN_BUT_UNRECORDED = 'The pipeline ran, but the audit journal cannot be written.';
