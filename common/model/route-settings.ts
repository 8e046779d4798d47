import { z } from 'zod';
import { parseCidr } from '../cidr.ts';
import { parsePattern } from '../pattern.ts';
import { scopeList, textList } from './fields.ts';
import { routeDescription } from './route-description.ts';
import { expected, ruleIssue } from '../errors/rules.ts';

/** The settings of a REST API node in ingress mode (docs/spec/routes.md#settings), parsed into one normalized form. */
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;
export type RouteMethod = (typeof METHODS)[number] | '*';

export const TIMEOUT_SECONDS_MIN = 0.1;
export const TIMEOUT_SECONDS_MAX = 3600;
export const PAYLOAD_BYTES_MAX = 64 * 1024 * 1024;
const PAYLOAD_BYTES_DEFAULT = 1024 * 1024;
const RATE_MAX = 1e9;
const LIST_ENTRIES_MAX = 256;

const UNITS: Record<string, number> = { b: 1, kb: 1024, mb: 1024 * 1024 };

/** Bytes of a size such as `4096`, `"512 KB"` or `"1 MB"` (1 MB = 1,048,576); null if it is not a size. */
export function parseSize(value: number | string): number | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : null;
  const match = /^\s*(\d+(?:\.\d+)?)\s*(B|KB|MB)?\s*$/i.exec(value);
  if (!match) return null;
  return Math.floor(Number(match[1]) * (UNITS[(match[2] ?? 'B').toLowerCase()] ?? 1));
}

const SIZE_EXPECTED = expected('form_exact', {
  what: 'bytes or a size',
  example: '"512 KB"',
  also: ' or "1 MB", at most 64 MB',
});

const payloadSize = z.union([z.number(), z.string()], { error: SIZE_EXPECTED }).transform((value, context) => {
  const bytes = parseSize(value);
  if (bytes !== null && bytes <= PAYLOAD_BYTES_MAX) return bytes;
  context.addIssue({ code: 'custom', message: SIZE_EXPECTED });
  return z.NEVER;
});

const urlPattern = z
  .string({ error: expected('form', { what: 'a URL pattern', example: '/api/v1/orders/:id' }) })
  .superRefine((source, context) => {
    const result = parsePattern(source);
    if (!result.ok) context.addIssue({ code: 'custom', message: `the URL pattern ${result.message}` });
  });

const CIDR_EXPECTED = expected('form_exact', {
  what: 'an address or a range',
  example: '10.0.0.0/8',
  also: ' or fd00::/8, or "any"',
});

/** Null: any. An empty list is refused, because it could mean either "nobody" or "any". */
const allowedIps = z
  .union([z.null(), textList], { error: CIDR_EXPECTED })
  .transform((list, context): string[] | null => {
    if (list === null || (list.length === 1 && list[0]?.toLowerCase() === 'any')) return null;
    const bad = list.find((entry) => parseCidr(entry) === null);
    if (bad !== undefined)
      context.addIssue(
        ruleIssue('not_form', { value: bad.slice(0, 60), what: 'an address range', example: '10.0.0.0/8' }),
      );
    if (list.length === 0)
      context.addIssue(ruleIssue('list_empty', { what: 'an address or a range such as 10.0.0.0/8, or "any"' }));
    if (list.length > LIST_ENTRIES_MAX)
      context.addIssue({ code: 'custom', message: expected('count_max', { max: LIST_ENTRIES_MAX, of: 'ranges' }) });
    return list;
  });

const ORIGIN = /^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

const allowedOrigins = textList.superRefine((list, context) => {
  const bad = list.find((entry) => entry !== '*' && !ORIGIN.test(entry));
  if (bad !== undefined) {
    context.addIssue(
      ruleIssue('not_form', { value: bad.slice(0, 60), what: 'an origin', example: 'https://hmi.local:8443' }),
    );
  }
  if (list.length === 0) context.addIssue(ruleIssue('list_empty', { what: 'origins or "*"' }));
  if (list.length > LIST_ENTRIES_MAX)
    context.addIssue({ code: 'custom', message: expected('count_max', { max: LIST_ENTRIES_MAX, of: 'origins' }) });
});

/** Request headers that carry credentials of callers for systems other than Sluice. */
export const CREDENTIAL_HEADERS: readonly string[] = ['authorization', 'proxy-authorization', 'cookie'];

const HEADER_NAME = /^[a-z0-9!#$%&'*+.^`|~-]+$/;

const headerWhitelist = textList
  .transform((list) => [...new Set(list.map((name) => name.toLowerCase()))])
  .superRefine((list, context) => {
    const bad = list.find((name) => !HEADER_NAME.test(name));
    if (bad !== undefined) context.addIssue(ruleIssue('header_name', { name: bad.slice(0, 60) }));
    if (list.includes('x-api-key')) context.addIssue(ruleIssue('header_key'));
    if (list.length > 64)
      context.addIssue({ code: 'custom', message: expected('count_max', { max: 64, of: 'header names' }) });
  });

const rate = (whole: boolean) => {
  const message = expected('range', { what: whole ? 'a whole number' : 'a number', from: 0, to: 1_000_000_000 });
  const number = z.number({ error: message }).min(0, message).max(RATE_MAX, message);
  return whole ? number.refine(Number.isInteger, message) : number;
};

const timeoutExpected = expected('range', { what: 'seconds', from: TIMEOUT_SECONDS_MIN, to: 3_600 });

export const routeSettings = z.strictObject({
  mode: z.literal('ingress', { error: expected('one_of', { values: ['ingress', 'egress'] }) }),
  method: z
    .enum([...METHODS, '*'], { error: expected('one_of', { values: [...METHODS, '*'] }) })
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
    .enum(['api_key', 'none'], { error: expected('one_of', { values: ['api_key', 'none'] }) })
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
    .meta({ title: 'Rate limit', more: true, unit: '/s', description: 'Sustained requests per second. 0: no limit.' }),
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
    .boolean({ error: expected('true_or_false') })
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

/** Parsed settings: sizes in bytes, durations in seconds, `allowedIps` null for any. */
export type RouteSettings = z.infer<typeof routeSettings>;
