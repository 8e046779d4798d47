/** CORS and origins (docs/spec/routes.md#cors). */
export interface CorsRule {
  readonly enabled: boolean;
  readonly any: boolean;
  readonly origins: ReadonlySet<string>;
  /** Header lines of the response to a preflight, in addition to those for the origin. */
  readonly preflightHeaders: readonly string[];
}

const EXPOSED = 'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After';
const METHODS_OF_ANY = 'GET, HEAD, POST, PUT, DELETE, PATCH';

export function corsRule(settings: {
  corsEnabled: boolean;
  allowedOrigins: readonly string[];
  method: string;
  headerWhitelist: readonly string[];
}): CorsRule {
  const methods = settings.method === '*' ? METHODS_OF_ANY : settings.method === 'GET' ? 'GET, HEAD' : settings.method;
  const names = ['Content-Type', 'X-API-Key', ...settings.headerWhitelist].join(', ');
  return {
    enabled: settings.corsEnabled,
    any: settings.allowedOrigins.includes('*'),
    origins: new Set(settings.allowedOrigins.map(asBrowsersSay)),
    preflightHeaders: [
      'Access-Control-Allow-Methods',
      methods,
      'Access-Control-Allow-Headers',
      names,
      'Access-Control-Max-Age',
      '600',
    ],
  };
}

/** Browsers omit the default port of the scheme. */
function asBrowsersSay(origin: string): string {
  const lower = origin.toLowerCase();
  return lower.replace(lower.startsWith('https:') ? /:443$/ : /:80$/, '');
}

export function originAllowed(rule: CorsRule, origin: string): boolean {
  return rule.enabled && (rule.any || rule.origins.has(origin.toLowerCase()));
}

/** The CORS header lines for a response to an allowed origin. */
export function corsHeaders(rule: CorsRule, origin: string): readonly string[] {
  if (rule.any) return ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED];
  return ['Access-Control-Allow-Origin', origin, 'Vary', 'Origin', 'Access-Control-Expose-Headers', EXPOSED];
}

/**
 * Whether an origin is the gateway's own: the Host of the request with its scheme, if that host is an IP address,
 * localhost, the name of the PC or that of the base URL. Any other name could belong to an attacker who rebound it to
 * this PC.
 */
export function isOwnOrigin(
  origin: string,
  scheme: 'http' | 'https',
  host: string,
  ownNames: ReadonlySet<string>,
): boolean {
  if (host === '' || origin.toLowerCase() !== `${scheme}://${host.toLowerCase()}`) return false;
  const name = host
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '');
  return name.startsWith('[') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) || ownNames.has(name);
}
