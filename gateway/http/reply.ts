import type { Reply } from '#common/model/message.ts';

/** Header lines of a pipeline's reply, name and value in turn, as `writeHead` takes them. */
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
    // HTML from a route must not act as a page of this origin: the admin UI's cookies ignore ports.
    // XML of any kind may hold XHTML, and its scripts would run as well.
    if (/^\s*(?:text\/html|[^;,\s]*[/+](?:xml|xsl)(?![^;,\s]))/i.test(type))
      lines.push('Content-Security-Policy', 'sandbox');
  }
  for (const name in headers) if (name !== 'content-type') lines.push(name, headers[name] as string);
  if (status !== 204 && status !== 304) lines.push('Content-Length', String(bodyBytes));
  if (rate.length > 0) lines.push(...rate);
  if (cors.length > 0) lines.push(...cors);
  return lines;
}
