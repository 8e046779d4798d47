import { z } from 'zod';
import { parseCidr } from '../cidr.ts';
import { parsePattern } from '../pattern.ts';
import { textList } from './fields.ts';
import { isTimeZone, ZONE_EXPECTED } from './time-zone.ts';
import { expected, ruleIssue } from '../errors/rules.ts';

/** The allowed values of settings (settings.ts). */
const portExpected = expected('port', { to: 65_535 });
export const port = z.number({ error: portExpected }).int(portExpected).min(0, portExpected).max(65535, portExpected);
export const whole = (min: number, max: number) => {
  const message = expected('range', { what: 'a whole number', from: min, to: max });
  return z.number({ error: message }).int(message).min(min, message).max(max, message);
};

export const baseUrl = z.string().refine((text) => /^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])$/.test(text), {
  message: expected('form_exact', {
    what: 'scheme and host',
    example: 'http://edge-7',
    also: ', without a port or path',
  }),
});
export const listenAddress = z.string().refine((text) => text === 'localhost' || parseCidr(text)?.address === text, {
  message: expected('form', { what: 'an IP address to listen on,', example: '0.0.0.0' }),
});
export const cidrs = textList.superRefine((list, context) => {
  const bad = list.find((entry) => parseCidr(entry) === null);
  if (bad !== undefined)
    context.addIssue(
      ruleIssue('not_form', { value: bad.slice(0, 60), what: 'an address range', example: '10.0.0.0/8' }),
    );
  if (list.length > 256)
    context.addIssue({ code: 'custom', message: expected('count_max', { max: 256, of: 'ranges' }) });
});
export const targets = textList.superRefine((list, context) => {
  const bad = list.find((entry) => !/^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):\d{1,5}$/.test(entry));
  if (bad !== undefined)
    context.addIssue(ruleIssue('not_form', { value: bad.slice(0, 60), what: 'host:port,', example: '127.0.0.1:9000' }));
  if (list.length > 256)
    context.addIssue({ code: 'custom', message: expected('count_max', { max: 256, of: 'targets' }) });
});
const PROXY_EXPECTED = expected('form_exact', {
  what: 'a proxy',
  example: 'http://proxy:3128',
  also: ': scheme http, host and port, without user, password and path',
});
export const proxy = z.string({ error: PROXY_EXPECTED }).refine(isProxy, { message: PROXY_EXPECTED });

/** Every user who may read the settings can read this one, so it must not contain a password. */
function isProxy(text: string): boolean {
  const match = /^http:\/\/(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{1,5}))?$/.exec(text);
  return match !== null && URL.canParse(text) && match[1] !== '0';
}

const PROXY_TARGETS_MAX = 256;
export const proxyTargets = textList
  .superRefine((list, context) => {
    const bad = list.find((entry) => !isProxyTarget(entry));
    if (bad !== undefined)
      context.addIssue(
        ruleIssue('not_form', { value: bad.slice(0, 60), what: 'a host name', example: '*.mes.example' }),
      );
    if (list.length > PROXY_TARGETS_MAX)
      context.addIssue({ code: 'custom', message: expected('count_max', { max: PROXY_TARGETS_MAX, of: 'names' }) });
  })
  .transform((list) => list.map((entry) => entry.toLowerCase()));

const HOST_CHARS_MAX = 253;
const HOST_LABEL = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;

/** Only host names: an address is checked before it is dialled, and a proxy would bypass this check. */
function isProxyTarget(text: string): boolean {
  const labels = text.replace(/^\*\./, '').split('.');
  const isAddress = /^\d+$|^0x[0-9a-f]*$/i.test(labels.at(-1) ?? '');
  return text.length <= HOST_CHARS_MAX && !isAddress && labels.every((label) => HOST_LABEL.test(label));
}

const HEALTH_PATH_CHARS_MAX = 200;
const HEALTH_PATH_EXPECTED = expected('form_exact', {
  what: 'a path without parameters',
  example: '/health/live',
  also: `, of at most ${HEALTH_PATH_CHARS_MAX} characters`,
});
export const healthPath = z
  .string({ error: HEALTH_PATH_EXPECTED })
  .refine(isPlainPath, { message: HEALTH_PATH_EXPECTED });

function isPlainPath(text: string): boolean {
  const parsed = parsePattern(text);
  return (
    text.length <= HEALTH_PATH_CHARS_MAX &&
    parsed.ok &&
    parsed.pattern.segments.every((segment) => 'literal' in segment)
  );
}

const PATH_CHARS_MAX = 1_024;
const PATH_EXPECTED = expected('form_exact', {
  what: 'the absolute path of a file',
  example: '/mnt/audit/line-7.heads',
  also: `, of at most ${PATH_CHARS_MAX} characters`,
});
export const absolutePath = z
  .string({ error: PATH_EXPECTED })
  .max(PATH_CHARS_MAX, PATH_EXPECTED)
  .regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\p{Cc}]*[^\p{Cc}\\/]$/u, PATH_EXPECTED);

const PEM_CHAIN_CHARS_MAX = 65_536;
const PEM_KEY_CHARS_MAX = 16_384;
export const pemKey = z.string().max(PEM_KEY_CHARS_MAX, expected('length_max', { max: PEM_KEY_CHARS_MAX }));
/** Certificates are shown to everyone who may read the settings, so a pasted private key is refused. */
export const pemChain = z
  .string()
  .max(PEM_CHAIN_CHARS_MAX, expected('length_max', { max: PEM_CHAIN_CHARS_MAX }))
  .refine((text) => !/PRIVATE KEY/i.test(text), {
    message: expected('private_key'),
  });

export const timeZone = z.string({ error: ZONE_EXPECTED }).refine(isTimeZone, ZONE_EXPECTED);
