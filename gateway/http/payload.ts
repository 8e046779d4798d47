import type { RequestPayload } from '#common/model/message.ts';
import { withoutSessionCookies } from '#common/model/session-cookie.ts';
import type { LiveRoute } from '../routing/live-route.ts';
import { decode, type Query } from './target.ts';

const NO_ENTRIES: Readonly<Record<string, string>> = Object.freeze({});

/** The payload of a request's message (docs/spec/requests.md#message). */
export function requestPayload(
  rawHeaders: readonly string[],
  route: LiveRoute,
  values: readonly string[],
  query: Query,
  body: unknown,
): RequestPayload {
  return {
    body,
    params: pathParams(route, values),
    query,
    headers: route.headerNames ? whitelisted(rawHeaders, route.headerNames) : NO_ENTRIES,
  };
}

function pathParams(route: LiveRoute, values: readonly string[]): Readonly<Record<string, string>> {
  if (values.length === 0) return NO_ENTRIES;
  const params = Object.create(null) as Record<string, string>;
  let at = 0;
  for (const segment of route.pattern.segments) {
    if ('literal' in segment) continue;
    const raw = values[at] as string;
    // Step 0 has checked that the whole path decodes, and an escape cannot span a "/".
    params[segment.param] = decode(raw) ?? raw;
    at += 1;
  }
  return params;
}

/**
 * Only headers on the route's allow list reach pipeline code, and session cookies of the admin UI never do. Repeated
 * headers are joined as in RFC 9110, 5.3.
 */
function whitelisted(raw: readonly string[], names: ReadonlySet<string>): Readonly<Record<string, string>> {
  const headers = Object.create(null) as Record<string, string>;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase();
    if (!names.has(name)) continue;
    const value = raw[i + 1] as string;
    const before = headers[name];
    headers[name] = before === undefined ? value : before + (name === 'cookie' ? '; ' : ', ') + value;
  }
  const { cookie } = headers;
  if (cookie === undefined) return headers;
  headers['cookie'] = withoutSessionCookies(cookie);
  if (headers['cookie'] === '') delete headers['cookie'];
  return headers;
}
