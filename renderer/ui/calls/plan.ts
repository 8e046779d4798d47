import type { CallersGateway, RouteDetail } from '#common/model/route-record.ts';
import type { RouteMethod } from '#common/model/route-settings.ts';

/** One call of a route, from which the sample code of each language is generated. */
export interface CallPlan {
  method: Exclude<RouteMethod, '*'>;
  /** With sample values for parameters. */
  url: string;
  /** A JSON value; undefined: no body. */
  body: unknown;
  needsKey: boolean;
  /** The caller must be given Sluice's own certificate, as the file `CERTIFICATE_FILE`. */
  ownCertificate: boolean;
}

interface Planned {
  method: string;
  pattern: string;
  isPublic: boolean;
}

/** Replaces `:name` and the value of a query parameter: the format is right, the caller supplies the value. */
const SAMPLE_VALUE = '1';
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** The name under which Sluice's own certificate is downloaded. */
export const CERTIFICATE_FILE = 'sluice.pem';

/**
 * `body` undefined or null: unknown; a method with a body sends an empty object. A
 * route that accepts any method is called with POST if there is a body to send, else with GET.
 */
export function callPlan(
  route: Planned,
  { address, ownCertificate }: CallersGateway,
  body?: unknown,
  queryNames: readonly string[] = [],
): CallPlan {
  const any = body === undefined || body === null ? 'GET' : 'POST';
  const method = METHODS.find((one) => one === route.method) ?? any;
  const query = queryNames.map((name) => `${encodeURIComponent(name)}=${SAMPLE_VALUE}`).join('&');
  const path = samplePath(route.pattern) + (query === '' ? '' : `?${query}`);
  const sent = WITH_BODY.has(method) ? (body ?? {}) : undefined;
  return { method, url: address + path, body: sent, needsKey: !route.isPublic, ownCertificate };
}

/** The call of a route as its pipeline expects it, with a sample from its schema. */
export function planOf({ route, sampleBody, queryNames, ...gateway }: RouteDetail): CallPlan {
  const { method, pattern, authType } = route;
  return callPlan({ method, pattern, isPublic: authType === 'none' }, gateway, sampleBody, queryNames);
}

function samplePath(pattern: string): string {
  return pattern.replaceAll(/\/:[A-Za-z_][A-Za-z0-9_]*/g, `/${SAMPLE_VALUE}`);
}

/** Replaces the key where there are no environment variables. */
export const KEY_PLACEHOLDER = '<API_KEY>';
