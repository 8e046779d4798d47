import { z } from 'zod';
import { parseCidr } from '../cidr.ts';
import type { FieldError } from '../errors/catalogue.ts';
import { parsePattern } from '../pattern.ts';
import { textList } from './fields.ts';

const GIB = 1024 ** 3;
const portExpected = 'expected a port from 0 to 65,535 (0 = any free one)';
const port = z.number({ error: portExpected }).int(portExpected).min(0, portExpected).max(65535, portExpected);
const whole = (min: number, max: number) => {
  const expected = `expected a whole number from ${min} to ${max}`;
  return z.number({ error: expected }).int(expected).min(min, expected).max(max, expected);
};

const baseUrl = z.string().refine((text) => /^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])$/.test(text), {
  message: 'expected scheme and host such as http://edge-7, without port and path',
});
const listenAddress = z.string().refine((text) => text === 'localhost' || parseCidr(text)?.address === text, {
  message: 'expected an IP address to listen on, such as 0.0.0.0',
});
const cidrs = textList.superRefine((list, context) => {
  const bad = list.find((entry) => parseCidr(entry) === null);
  if (bad !== undefined)
    context.addIssue({ code: 'custom', message: `"${bad.slice(0, 60)}" is not an address range such as 10.0.0.0/8` });
  if (list.length > 256) context.addIssue({ code: 'custom', message: 'expected at most 256 ranges' });
});
const targets = textList.superRefine((list, context) => {
  const bad = list.find((entry) => !/^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):\d{1,5}$/.test(entry));
  if (bad !== undefined)
    context.addIssue({ code: 'custom', message: `"${bad.slice(0, 60)}" is not host:port, such as 127.0.0.1:9000` });
  if (list.length > 256) context.addIssue({ code: 'custom', message: 'expected at most 256 targets' });
});
const PROXY_EXPECTED =
  'expected a proxy such as http://proxy:3128: scheme http, host and port, without user, password and path';
const proxy = z.string({ error: PROXY_EXPECTED }).refine(isProxy, { message: PROXY_EXPECTED });

/** Everyone who may read the settings can read this one, so it must not contain a password. */
function isProxy(text: string): boolean {
  const match = /^http:\/\/(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{1,5}))?$/.exec(text);
  return match !== null && URL.canParse(text) && match[1] !== '0';
}

const PROXY_TARGETS_MAX = 256;
const proxyTargets = textList
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
const healthPath = z.string({ error: HEALTH_PATH_EXPECTED }).refine(isPlainPath, { message: HEALTH_PATH_EXPECTED });

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
const absolutePath = z
  .string({ error: PATH_EXPECTED })
  .max(PATH_CHARS_MAX, PATH_EXPECTED)
  .regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\p{Cc}]*[^\p{Cc}\\/]$/u, PATH_EXPECTED);

const PEM_CHAIN_CHARS_MAX = 65_536;
const PEM_KEY_CHARS_MAX = 16_384;
/** Certificates are shown to everyone who may read the settings, so a pasted private key is refused. */
const pemChain = z
  .string()
  .max(PEM_CHAIN_CHARS_MAX, `expected at most ${PEM_CHAIN_CHARS_MAX} characters`)
  .refine((text) => !/PRIVATE KEY/i.test(text), {
    message: 'holds a private key; expected certificates alone, the key belongs into tlsKey',
  });

/**
 * Gateway settings (docs/spec/settings.md#fields): flat, each with its default. `baseUrl` has the machine's name put in
 * by the host.
 */
export const settingsSchema = z.strictObject({
  baseUrl: baseUrl.default('http://localhost'),
  gatewayHost: listenAddress.default('0.0.0.0'),
  gatewayPort: port.default(8090),
  uiPort: port.default(8091),
  tls: z.enum(['off', 'own', 'custom'], { error: 'expected "off", "own" or "custom"' }).default('off'),
  tlsCertificate: pemChain.nullable().default(null),
  tlsKey: z
    .string()
    .max(PEM_KEY_CHARS_MAX, `expected at most ${PEM_KEY_CHARS_MAX} characters`)
    .nullable()
    .default(null),
  plainHttpPort: port.nullable().default(null),
  trustedProxies: cidrs.default([]),
  allowedInternalTargets: targets.default([]),
  egressProxy: proxy.nullable().default(null),
  egressProxyTargets: proxyTargets.default([]),
  egressMaxBytes: whole(1024 ** 2, 1024 * GIB).default(GIB),
  egressMaxEvents: whole(1, 1e9).default(1_000_000),
  /** Events a second that go to one target while it drains a backlog. */
  egressDrainRate: whole(1, 100_000).default(250),
  diskReserveBytes: whole(0, 1024 * GIB).default(GIB),
  journalDurability: z.enum(['process', 'power'], { error: 'expected "process" or "power"' }).default('process'),
  journalDays: whole(1, 36500).default(90),
  journalMaxBytes: whole(16 * 1024 ** 2, 1024 * GIB).default(2 * GIB),
  /** Outside the data folder, such as on a share: gets the newest head of both chains each hour; null: none. */
  journalHeadFile: absolutePath.nullable().default(null),
  /** Threads that serve HTTP; from 2 on the gateway's own is one that decides and has no sockets. */
  workers: whole(1, 16).default(1),
  /** Answered on the gateway port without a key, unless a running route has the path; null: not at all. */
  healthLivePath: healthPath.nullable().default('/health/live'),
  healthReadyPath: healthPath.nullable().default('/health/ready'),
  /** Where metrics are served to other machines. */
  metricsHost: listenAddress.default('0.0.0.0'),
  /** Null: the metrics are on the port of the UI alone, which is loopback. */
  metricsPort: port.nullable().default(null),
  metricsToken: z.string().min(16, 'expected at least 16 characters').max(256).nullable().default(null),
});

export type Settings = z.infer<typeof settingsSchema>;

/** Written, never read back: `GET /settings` shows `{ "set": true }` instead. */
export const WRITE_ONLY_SETTINGS = ['tlsKey', 'metricsToken'] as const satisfies (keyof Settings)[];

/** Settings that are valid but that this machine cannot serve. They are refused, so that nobody relies on them. */
export function unservedSettings({ workers }: Settings, platform: string): FieldError[] {
  // Other systems do not let threads share a port.
  if (workers === 1 || platform === 'linux') return [];
  return [{ path: 'workers', message: 'several workers are for Linux alone; expected 1' }];
}
