import { z } from 'zod';
import { parseCidr } from '../cidr.ts';
import { parsePattern } from '../pattern.ts';
import { scopeList, textList } from './fields.ts';
import { routeDescription } from './route-description.ts';

/** The settings of a REST API node in ingress mode (docs/spec/routes.md#settings), read into one exact form. */
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;
export type RouteMethod = (typeof METHODS)[number] | '*';

export const TIMEOUT_SECONDS_MIN = 0.1;
export const TIMEOUT_SECONDS_MAX = 3600;
export const PAYLOAD_BYTES_MAX = 64 * 1024 * 1024;
const PAYLOAD_BYTES_DEFAULT = 1024 * 1024;
const RATE_MAX = 1e9;
const LIST_ENTRIES_MAX = 256;

const UNITS: Record<string, number> = { b: 1, kb: 1024, mb: 1024 * 1024 };

/** Bytes of a size such as `4096`, `"512 KB"` or `"1 MB"` (1 MB = 1,048,576); null when it is not one. */
export function parseSize(value: number | string): number | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : null;
  const match = /^\s*(\d+(?:\.\d+)?)\s*(B|KB|MB)?\s*$/i.exec(value);
  if (!match) return null;
  return Math.floor(Number(match[1]) * (UNITS[(match[2] ?? 'B').toLowerCase()] ?? 1));
}

const SIZE_EXPECTED = 'expected bytes or a size such as "512 KB" or "1 MB", at most 64 MB';

const payloadSize = z.union([z.number(), z.string()], { error: SIZE_EXPECTED }).transform((value, context) => {
  const bytes = parseSize(value);
  if (bytes !== null && bytes <= PAYLOAD_BYTES_MAX) return bytes;
  context.addIssue({ code: 'custom', message: SIZE_EXPECTED });
  return z.NEVER;
});

const urlPattern = z
  .string({ error: 'expected a URL pattern such as /api/v1/orders/:id' })
  .superRefine((source, context) => {
    const result = parsePattern(source);
    if (!result.ok) context.addIssue({ code: 'custom', message: `the URL pattern ${result.message}` });
  });

const CIDR_EXPECTED = 'expected an address or a range such as 10.0.0.0/8 or fd00::/8, or "any"';

/** null = any. An empty list is refused: it would look like "nobody" and like "any" at once. */
const allowedIps = z
  .union([z.null(), textList], { error: CIDR_EXPECTED })
  .transform((list, context): string[] | null => {
    if (list === null || (list.length === 1 && list[0]?.toLowerCase() === 'any')) return null;
    const bad = list.find((entry) => parseCidr(entry) === null);
    if (bad !== undefined)
      context.addIssue({ code: 'custom', message: `"${bad.slice(0, 60)}" is not an address range; ${CIDR_EXPECTED}` });
    if (list.length === 0) context.addIssue({ code: 'custom', message: `the list is empty; ${CIDR_EXPECTED}` });
    if (list.length > LIST_ENTRIES_MAX)
      context.addIssue({ code: 'custom', message: `expected at most ${LIST_ENTRIES_MAX} ranges` });
    return list;
  });

const ORIGIN = /^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

const allowedOrigins = textList.superRefine((list, context) => {
  const bad = list.find((entry) => entry !== '*' && !ORIGIN.test(entry));
  if (bad !== undefined) {
    context.addIssue({
      code: 'custom',
      message: `"${bad.slice(0, 60)}" is not an origin; expected scheme, host and port such as https://hmi.local:8443, or "*"`,
    });
  }
  if (list.length === 0) context.addIssue({ code: 'custom', message: 'the list is empty; expected origins or "*"' });
  if (list.length > LIST_ENTRIES_MAX)
    context.addIssue({ code: 'custom', message: `expected at most ${LIST_ENTRIES_MAX} origins` });
});

/** Request headers that carry credentials of callers for something else than Sluice. */
export const CREDENTIAL_HEADERS: readonly string[] = ['authorization', 'proxy-authorization', 'cookie'];

const HEADER_NAME = /^[a-z0-9!#$%&'*+.^`|~-]+$/;

const headerWhitelist = textList
  .transform((list) => [...new Set(list.map((name) => name.toLowerCase()))])
  .superRefine((list, context) => {
    const bad = list.find((name) => !HEADER_NAME.test(name));
    if (bad !== undefined)
      context.addIssue({
        code: 'custom',
        message: `"${bad.slice(0, 60)}" is not a header name that can reach the gateway`,
      });
    if (list.includes('x-api-key'))
      context.addIssue({ code: 'custom', message: 'X-API-Key cannot be whitelisted: the key reaches no node' });
    if (list.length > 64) context.addIssue({ code: 'custom', message: 'expected at most 64 header names' });
  });

const rate = (whole: boolean) => {
  const expected = `expected ${whole ? 'a whole number' : 'a number'} from 0 to 1,000,000,000`;
  const number = z.number({ error: expected }).min(0, expected).max(RATE_MAX, expected);
  return whole ? number.refine(Number.isInteger, expected) : number;
};

const timeoutExpected = `expected seconds from ${TIMEOUT_SECONDS_MIN} to 3,600`;

export const routeSettings = z.strictObject({
  mode: z.literal('ingress', { error: 'expected "ingress" or "egress"' }),
  method: z
    .enum([...METHODS, '*'], { error: `expected one of ${METHODS.join(', ')} or *` })
    .default('GET')
    .meta({ title: 'Method', description: 'HTTP method accepted. * accepts any method.' }),
  urlPattern: urlPattern.default('/api/v1/example').meta({
    title: 'URL pattern',
    control: 'path',
    description: 'Path of the route, such as /api/v1/orders/:id.',
  }),
  timeout: z
    .number({ error: timeoutExpected })
    .min(TIMEOUT_SECONDS_MIN, timeoutExpected)
    .max(TIMEOUT_SECONDS_MAX, timeoutExpected)
    .default(30)
    .meta({
      title: 'Timeout',
      control: 'seconds',
      description: 'Seconds that the caller waits before the gateway gives up.',
    }),
  authType: z
    .enum(['api_key', 'none'], { error: 'expected "api_key" or "none"' })
    .default('api_key')
    .meta({ title: 'Auth type', description: 'Whether an API key is required. "none" makes the route public.' }),
  requiredScopes: scopeList
    .default([])
    .meta({ title: 'Required scopes', control: 'scopes', description: "Scopes that the caller's key must hold." }),
  allowedIps: allowedIps.default(null).meta({
    title: 'Allowed IPs',
    preset: 'any',
    description: 'Source addresses that may call, as CIDR ranges; "any" for all.',
  }),
  rateLimit: rate(false)
    .default(0)
    .meta({ title: 'Rate limit', more: true, unit: '/s', description: 'Sustained requests per second. 0 is off.' }),
  burstLimit: rate(true).default(0).meta({
    title: 'Burst limit',
    more: true,
    description: 'Requests above the sustained rate that may arrive at once.',
  }),
  maxPayloadSize: payloadSize.default(PAYLOAD_BYTES_DEFAULT).meta({
    title: 'Max payload size',
    control: 'size',
    more: true,
    preset: '1 MB',
    description: 'Maximum size of the request body: bytes, or "512 KB", "1 MB".',
  }),
  corsEnabled: z
    .boolean({ error: 'expected true or false' })
    .default(false)
    .meta({ title: 'CORS enabled', more: true, description: 'Allows calls from browser pages of other origins.' }),
  allowedOrigins: allowedOrigins.default(['*']).meta({
    title: 'Allowed origins',
    preset: '*',
    more: true,
    description: 'Origins permitted when CORS is enabled; * for all.',
  }),
  headerWhitelist: headerWhitelist
    .default([])
    .meta({ title: 'Header whitelist', more: true, description: 'Request headers passed through to the pipeline.' }),
  ...routeDescription,
});

/** Read settings: sizes in bytes, durations in seconds, `allowedIps` null for any. */
export type RouteSettings = z.infer<typeof routeSettings>;
