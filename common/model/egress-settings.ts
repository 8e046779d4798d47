import { z } from 'zod';
import { expected } from '../errors/rules.ts';
import { numberFrom } from './bounds.ts';

/**
 * The settings of a REST API node in egress mode (docs/spec/egress.md#settings). The author chooses URL, method, static
 * headers and timeout: they have no defaults.
 */
export const EGRESS_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;

export const EGRESS_HEADERS_MAX = 64;
const HEADER_VALUE_CHARS_MAX = 8192;
const URL_CHARS_MAX = 4096;
const PEM_CHARS_MAX = 256 * 1024;

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;
/** These headers frame the request, are hop-by-hop, or are written by Sluice. Lower-case. */
const REFUSED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'traceparent',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const URL_EXPECTED = expected('form_exact', {
  what: 'a URL',
  example: 'https://mes.example:8443/orders/{{payload.params.id}}',
  also: ': scheme, host and port literal, no user, no fragment, no control characters',
});

/** Scheme, host and port as written, before the path, query and their templates. */
const ORIGIN = /^(https?):\/\/((?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]))(?::(\d{1,5}))?(?=[/?]|$)/i;

export interface EgressUrl {
  /** `https://mes.example:8443`, lower-case, always with the port. */
  readonly origin: string;
  readonly secure: boolean;
  /** The host in the form for a connect call: without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  /** Path and query with their templates; starts with `/`. */
  readonly path: string;
}

/**
 * Null if it is not a URL that a node may call. The host is normalized as in browsers (`127.1` becomes `127.0.0.1`).
 */
export function readEgressUrl(text: string): EgressUrl | null {
  const match = ORIGIN.exec(text);
  if (match === null || text.length > URL_CHARS_MAX || text.includes('#') || !isPlain(text)) return null;
  const [written] = match;
  if (!URL.canParse(written)) return null;
  const url = new URL(written);
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  if (port === 0 || url.hostname === '') return null;
  const rest = text.slice(written.length);
  return {
    origin: `${url.protocol}//${url.hostname}:${port}`,
    secure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    path: rest.startsWith('/') ? rest : `/${rest}`,
  };
}

const CONTROL = /[\0-\u001f\u007f]/;

function isPlain(text: string): boolean {
  return !CONTROL.test(text) && text.isWellFormed();
}

const url = z.string({ error: URL_EXPECTED }).refine((text) => readEgressUrl(text) !== null, { message: URL_EXPECTED });

/**
 * The read form of a secret; sent back, it keeps the stored value. A new value has a new `version`, which a save
 * ignores.
 */
const isSet = z.strictObject({ set: z.literal(true), version: z.string().max(64).optional() });

const VALUE_EXPECTED = expected('header_value', { max: 8_192 });
const headerValue = z
  .string({ error: VALUE_EXPECTED })
  .max(HEADER_VALUE_CHARS_MAX, VALUE_EXPECTED)
  .regex(HEADER_VALUE, VALUE_EXPECTED);

/** A secret setting: a text; `{ "set": true }` for a stored one; null for a cleared one. */
const secret = (value: z.ZodString) =>
  z.union([value, isSet, z.null()], { error: 'expected a string, { "set": true } to keep what is stored, or null' });

const staticHeaders = z
  .record(z.string(), secret(headerValue), {
    error: 'expected an object of header names and string values; {} for none',
  })
  .superRefine((headers, context) => {
    const seen = new Set<string>();
    if (Object.keys(headers).length > EGRESS_HEADERS_MAX)
      context.addIssue({ code: 'custom', message: expected('count_max', { max: EGRESS_HEADERS_MAX, of: 'headers' }) });
    for (const name of Object.keys(headers)) {
      const fault = headerFault(name, seen);
      if (fault !== null) context.addIssue({ code: 'custom', path: [name.slice(0, 60)], message: fault });
      seen.add(name.toLowerCase());
    }
  });

function headerFault(name: string, seen: ReadonlySet<string>): string | null {
  if (!HEADER_NAME.test(name)) return 'is not a header name';
  if (REFUSED_HEADERS.has(name.toLowerCase())) return `the header "${name}" is written by Sluice; expected another`;
  return seen.has(name.toLowerCase()) ? `the header "${name}" is given twice; expected each name once` : null;
}

const PEM_EXPECTED = expected('pem');
const pem = z
  .string({ error: PEM_EXPECTED })
  .max(PEM_CHARS_MAX, PEM_EXPECTED)
  .regex(/-----BEGIN [A-Z0-9 ]+-----/, PEM_EXPECTED);

const tls = z
  .strictObject({
    /** Certificates of the authorities that are trusted instead of the public ones. */
    ca: pem.nullable().default(null).meta({ title: 'Certificate authority' }),
    certificate: pem.nullable().default(null).meta({ title: 'Client certificate' }),
    /**
     * Secret, like the value of a header. Null beside a certificate: the key was cleared; the draft can be saved but
     * not started.
     */
    key: secret(pem).default(null).meta({ title: 'Client key' }),
  })
  .refine(({ certificate, key }) => certificate !== null || key === null, {
    path: ['certificate'],
    message: 'expected the certificate that "key" belongs to',
  });

export const egressSettings = z
  .strictObject({
    mode: z.literal('egress'),
    url: url.meta({
      title: 'URL',
      control: 'target',
      description: 'Target address. Path and query may contain {{payload.…}}; scheme, host and port are literal.',
    }),
    method: z
      .enum(EGRESS_METHODS, { error: expected('one_of', { values: EGRESS_METHODS }) })
      .meta({ title: 'Method', description: 'HTTP method of the outbound call.' }),
    staticHeaders: staticHeaders.meta({
      title: 'Static headers',
      description:
        'Headers added to every call, such as Authorization. Values are secret: kept in the vault, never shown again.',
    }),
    timeout: numberFrom('seconds', 0.1, 3_600).meta({
      title: 'Timeout',
      control: 'seconds',
      description: 'Seconds after which a call is abandoned.',
    }),
    storeAndForward: z
      .boolean({ error: expected('true_or_false') })
      .default(true)
      .meta({
        title: 'Store and forward',
        description: 'Stores the call on disk and retries it until the target accepts it.',
      }),
    orderingKey: z
      .string({ error: expected('text_filled', { place: '{{payload.…}}' }) })
      .max(1024, expected('length_max', { max: 1_024 }))
      .nullable()
      .default(null)
      .meta({
        title: 'Ordering key',
        control: 'template',
        more: true,
        description: 'Only calls with the same key wait for each other. Without one, all calls to the target do.',
      }),
    tls: tls.nullable().default(null).meta({
      title: 'TLS',
      more: true,
      description: 'Own certificate authority ("ca") and client certificate ("certificate", "key"), in PEM form.',
    }),
  })
  .superRefine(({ url: target, tls: own, storeAndForward, orderingKey }, context) => {
    if (own !== null && readEgressUrl(target)?.secure === false)
      context.addIssue({ code: 'custom', path: ['tls'], message: 'only a URL with https:// takes TLS settings' });
    if (!storeAndForward && orderingKey !== null)
      context.addIssue({ code: 'custom', path: ['orderingKey'], message: 'only stored calls have an order' });
  });
