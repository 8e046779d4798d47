import type { Reply } from '#common/model/message.ts';

/**
 * Whether a content type cannot run code in a browser. HTML from a route must not act as a page of this origin: the
 * admin UI's cookies ignore ports. XML of any kind may hold XHTML, and parts of a multipart or a message may hold HTML.
 * A value that is not exactly one well-formed type is not inert: of several between commas, a browser takes the last.
 */
const INERT =
  /^(?!text\/html|multipart\/|message\/|[^;]*[/+](?:xml|xsl)\s*(?:;|$))[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*\s*(?:;[^,]*)?$/i;

/** Only on replies of rehearsals: the number of writes that were simulated before the reply. */
export const REHEARSAL_HEADER = 'Sluice-Rehearsal';

const WIDE = /[^\0-\x7f]/;

/**
 * The body as it is sent. Node writes head and text together in one encoding. If a header value is not ASCII, a text is
 * sent as bytes, so that the value does not depend on the body.
 */
export function replyBody({ body, contentType, headers }: Reply): Reply['body'] {
  if (typeof body !== 'string') return body;
  let isWide = contentType !== null && WIDE.test(contentType);
  for (const name in headers) isWide ||= WIDE.test(headers[name] as string);
  return isWide ? Buffer.from(body) : body;
}

/** Length of the body on the wire. */
export function replyBytes({ body }: Reply): number {
  if (body === null) return 0;
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
}

/** Header lines of a pipeline's reply for `writeHead`: names and values alternate. */
export function replyHeaders(
  reply: Reply,
  bodyBytes: number,
  requestId: string,
  rate: readonly string[],
  cors: readonly string[],
): string[] {
  const lines = ['X-Request-Id', requestId, 'X-Content-Type-Options', 'nosniff'];
  const { contentType, headers, status } = reply;
  const type = headers['content-type'] ?? contentType;
  if (type !== null) {
    lines.push('Content-Type', type);
    if (!INERT.test(type)) lines.push('Content-Security-Policy', 'sandbox');
  }
  for (const name in headers) if (name !== 'content-type') lines.push(name, headers[name] as string);
  if (status !== 204 && status !== 304) lines.push('Content-Length', String(bodyBytes));
  if (rate.length > 0) lines.push(...rate);
  if (cors.length > 0) lines.push(...cors);
  return lines;
}
