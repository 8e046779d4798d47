import { VERSION } from '#common/version.ts';
import type { HttpCall } from './contract.ts';

const OWN = { 'User-Agent': `Sluice/${VERSION}`, Accept: '*/*', 'Accept-Encoding': 'identity' } as const;
/** Headers that frame the request or name its target: written here or by Node, whatever the call contains. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'connection', 'host']);
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** The headers as they are sent, with names as the author wrote them. */
export function headersOf({ headers, method, body }: HttpCall): Record<string, string> {
  const given = Object.entries(headers).filter(([name]) => !FRAMING.has(name.toLowerCase()));
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  const own = Object.entries(OWN).filter(([name]) => !names.has(name.toLowerCase()));
  const framed = body !== null || WITH_BODY.has(method);
  return Object.fromEntries([
    ...own,
    ...given,
    ...(framed ? [['Content-Length', String(body?.byteLength ?? 0)] as const] : []),
  ]);
}

/**
 * Characters that are not allowed in a request line are percent-encoded; everything else is sent unchanged (`/a/../b`,
 * `//`).
 */
export function requestPath(path: string): string {
  return path.replaceAll(/[^\u0021-\u007e]+/g, (run) => encodeURIComponent(run.toWellFormed()));
}
