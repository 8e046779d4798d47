import { z } from 'zod';
import { parseCidr } from '../cidr.ts';
import { parsePattern } from '../pattern.ts';
import { textList } from './fields.ts';

/** The values that settings may have (settings.ts). */
const portExpected = 'expected a port from 0 to 65,535 (0 = any free one)';
export const port = z.number({ error: portExpected }).int(portExpected).min(0, portExpected).max(65535, portExpected);
export const whole = (min: number, max: number) => {
  const expected = `expected a whole number from ${min} to ${max}`;
  return z.number({ error: expected }).int(expected).min(min, expected).max(max, expected);
};

export const baseUrl = z.string().refine((text) => /^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])$/.test(text), {
  message: 'expected scheme and host such as http://edge-7, without port and path',
});
export const listenAddress = z.string().refine((text) => text === 'localhost' || parseCidr(text)?.address === text, {
  message: 'expected an IP address to listen on, such as 0.0.0.0',
});
export const cidrs = textList.superRefine((list, context) => {
  const bad = list.find((entry) => parseCidr(entry) === null);
  if (bad !== undefined)
    context.addIssue({ code: 'custom', message: `"${bad.slice(0, 60)}" is not an address range such as 10.0.0.0/8` });
  if (list.length > 256) context.addIssue({ code: 'custom', message: 'expected at most 256 ranges' });
});
export const targets = textList.superRefine((list, context) => {
  const bad = list.find((entry) => !/^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):\d{1,5}$/.test(entry));
  if (bad !== undefined)
    context.addIssue({ code: 'custom', message: `"${bad.slice(0, 60)}" is not host:port, such as 127.0.0.1:9000` });
  if (list.length > 256) context.addIssue({ code: 'custom', message: 'expected at most 256 targets' });
});
const PROXY_EXPECTED =
  'expected a proxy such as http://proxy:3128: scheme http, host and port, without user, password and path';
export const proxy = z.string({ error: PROXY_EXPECTED }).refine(isProxy, { message: PROXY_EXPECTED });

/** Everyone who may read the settings can read this one, so it must not contain a password. */
function isProxy(text: string): boolean {
  const match = /^http:\/\/(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{1,5}))?$/.exec(text);
  return match !== null && URL.canParse(text) && match[1] !== '0';
}

const PROXY_TARGETS_MAX = 256;
export const proxyTargets = textList
  .superRefine((list, context) => {
    const bad = list.find((entry) => !isProxyTarget(entry));
    if (bad !== undefined)
      context.addIssue({
        code: 'custom',
        message: `"${bad.slice(0, 60)}" is not a host name such as mes.example or *.mes.example`,
      });
    if (list.length > PROXY_TARGETS_MAX)
      context.addIssue({ code: 'custom', message: `expected at most ${PROXY_TARGETS_MAX} names` });
  })
  .transform((list) => list.map((entry) => entry.toLowerCase()));

const HOST_CHARS_MAX = 253;
const HOST_LABEL = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;

/** Names alone: an address is judged before it is dialled, which a proxy would do unseen. */
function isProxyTarget(text: string): boolean {
  const labels = text.replace(/^\*\./, '').split('.');
  const isAddress = /^\d+$|^0x[0-9a-f]*$/i.test(labels.at(-1) ?? '');
  return text.length <= HOST_CHARS_MAX && !isAddress && labels.every((label) => HOST_LABEL.test(label));
}

const HEALTH_PATH_CHARS_MAX = 200;
const HEALTH_PATH_EXPECTED = `expected a path without parameters such as /health/live, of at most ${HEALTH_PATH_CHARS_MAX} characters`;
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
const PATH_EXPECTED = `expected the absolute path of a file such as /mnt/audit/line-7.heads, of at most ${PATH_CHARS_MAX} characters`;
export const absolutePath = z
  .string({ error: PATH_EXPECTED })
  .max(PATH_CHARS_MAX, PATH_EXPECTED)
  .regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\p{Cc}]*[^\p{Cc}\\/]$/u, PATH_EXPECTED);

const PEM_CHAIN_CHARS_MAX = 65_536;
const PEM_KEY_CHARS_MAX = 16_384;
export const pemKey = z.string().max(PEM_KEY_CHARS_MAX, `expected at most ${PEM_KEY_CHARS_MAX} characters`);
/** Certificates are shown to everyone who may read the settings, so a pasted private key is refused. */
export const pemChain = z
  .string()
  .max(PEM_CHAIN_CHARS_MAX, `expected at most ${PEM_CHAIN_CHARS_MAX} characters`)
  .refine((text) => !/PRIVATE KEY/i.test(text), {
    message: 'holds a private key; expected certificates alone, the key belongs into tlsKey',
  });
