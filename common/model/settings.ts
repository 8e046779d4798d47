import { z } from 'zod';
import type { FieldError } from '../errors/catalogue.ts';
import * as value from './setting-values.ts';
import { expected } from '../errors/rules.ts';

/**
 * Gateway settings (docs/spec/settings.md#fields): a flat list, each with its default and all its properties. The form
 * of the admin UI and docs/reference/settings.md are generated from these declarations; the texts in other languages
 * are in `common/languages/<code>/kinds`. The host inserts its host name into `baseUrl`.
 */
export interface SettingText {
  readonly title: string;
  /** Help below the field. */
  readonly description: string;
  readonly takesEffect: 'at once' | 'after a restart';
  readonly unit?: 'days' | 'events' | 'events/s';
  /** The input format, if it does not follow from the type. */
  readonly control?: 'bytes' | 'lines' | 'pem' | 'secret';
  /** Labels of the values of a choice. */
  readonly choices?: Readonly<Record<string, string>>;
  /** The flag and the environment variable that fix the value. */
  readonly flag?: string;
}

/** Sections of the form, with their titles. */
export const SETTING_SECTIONS = {
  address: 'Address',
  tls: 'Encryption (TLS)',
  security: 'Reverse proxies',
  egress: 'Outgoing calls',
  journal: 'Journal',
  health: 'Health checks',
  metrics: 'Metrics',
} as const;
export type SettingSection = keyof typeof SETTING_SECTIONS;

declare const described: unique symbol;
/** Created only by `setting`, so that no setting lacks its texts. */
type Described = z.ZodDefault & { readonly [described]: true };

function setting<S extends z.ZodType>(schema: S, usual: z.output<S> & z.input<S>, text: SettingText) {
  return schema.default(usual as never).meta({ ...text }) as z.ZodDefault<S> & Described;
}

function section<F extends Readonly<Record<string, Described>>>(id: SettingSection, fields: F): F {
  const placed = Object.entries(fields).map(([name, field]) => [name, field.meta({ ...field.meta(), section: id })]);
  return Object.fromEntries(placed) as F;
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const TIB = 1024 ** 4;
const EVERY_CARD = '0.0.0.0: all network interfaces. An address of this PC: only that interface.';

export const settingsSchema = z.strictObject({
  ...section('address', {
    baseUrl: setting(value.baseUrl, 'http://localhost', {
      title: 'Base URL',
      description:
        'Scheme and host under which machines reach this PC, such as http://edge-7. Shown in every copyable call.',
      takesEffect: 'at once',
    }),
    gatewayHost: setting(value.listenAddress, '0.0.0.0', {
      title: 'Listen address',
      description: EVERY_CARD,
      takesEffect: 'at once',
      flag: '--gateway-host (SLUICE_GATEWAY_HOST)',
    }),
    gatewayPort: setting(value.port, 8090, {
      title: 'Gateway port',
      description: 'TCP port for machines, 1 to 65,535. 0: any free port.',
      takesEffect: 'at once',
      flag: '--gateway-port (SLUICE_GATEWAY_PORT)',
    }),
    uiPort: setting(value.port, 8091, {
      title: 'Admin UI port',
      description: 'TCP port of the admin UI, on this PC only.',
      takesEffect: 'after a restart',
      flag: '--ui-port (SLUICE_UI_PORT)',
    }),
    timeZone: setting(value.timeZone.nullable(), null, {
      title: 'Time zone of the plant',
      description: 'IANA name such as Europe/Berlin, for the hours of API keys. Empty: the time zone of this PC.',
      takesEffect: 'at once',
    }),
    keySelfService: setting(z.enum(['on', 'off'], { error: expected('one_of', { values: ['on', 'off'] }) }), 'on', {
      title: 'Self-service for callers',
      description:
        'GET /.well-known/sluice on the gateway port shows the holder of a key its routes, limits and last refusals.',
      takesEffect: 'at once',
      choices: { on: 'A key may ask for its own access', off: 'Off' },
    }),
    secondPerson: setting(z.enum(['on', 'off'], { error: expected('one_of', { values: ['on', 'off'] }) }), 'off', {
      title: 'Second user for keys',
      description:
        'A new key with tag:write, db:write or script:execute is paused until a second user with the permission “Manage keys” approves it.',
      takesEffect: 'at once',
      choices: { on: 'A second user approves the key', off: 'Off' },
    }),
    workers: setting(value.whole(1, 16), 1, {
      title: 'Workers',
      description:
        'Threads that serve callers. 1 is enough for most sites. With 2 or more, one thread decides and the others handle sockets, HTTP and TLS: for PCs with free cores and more than 5,000 calls per second. At most 16; Linux only.',
      takesEffect: 'at once',
    }),
    scriptExecution: setting(
      z.enum(['sandbox', 'native'], { error: expected('one_of', { values: ['sandbox', 'native'] }) }),
      'sandbox',
      {
        title: 'Execution of scripts',
        description:
          'Scripts that use only a small part of JavaScript, without side effects, can run without the sandbox, several times as fast and with the same results. All other scripts always run in the sandbox.',
        takesEffect: 'at once',
        choices: {
          sandbox: 'Always in the sandbox',
          native: 'Natively where possible',
        },
      },
    ),
  }),
  ...section('tls', {
    tls: setting(
      z.enum(['off', 'own', 'custom'], { error: expected('one_of', { values: ['off', 'own', 'custom'] }) }),
      'off',
      {
        title: 'Protocol',
        description: 'With TLS, the gateway port accepts nothing else. Each caller must trust the certificate.',
        takesEffect: 'at once',
        choices: {
          off: 'Plain HTTP: keys can be read on the network',
          own: 'TLS with Sluice’s own certificate',
          custom: 'TLS with your certificate',
        },
      },
    ),
    plainHttpPort: setting(value.port.nullable(), null, {
      title: 'Additional plain HTTP port',
      description: 'For machines that do not support TLS. Their keys can be read on the network. Empty: no such port.',
      takesEffect: 'at once',
    }),
    tlsCertificate: setting(value.pemChain.nullable(), null, {
      title: 'Certificate',
      description:
        'PEM text: the certificate of this gateway first, then those of its issuers. Visible to everyone who can read the settings.',
      takesEffect: 'at once',
      control: 'pem',
    }),
    tlsKey: setting(value.pemKey.nullable(), null, {
      title: 'Private key',
      description: 'PEM text of the private key, without a passphrase. It is never shown again.',
      takesEffect: 'at once',
      control: 'secret',
    }),
  }),
  ...section('security', {
    trustedProxies: setting(value.cidrs, [], {
      title: 'Trusted proxies',
      description:
        'Address ranges, one per line, such as 10.20.0.5/32. Only these can set the address of the caller with X-Forwarded-For.',
      takesEffect: 'at once',
      control: 'lines',
    }),
  }),
  ...section('egress', {
    allowedInternalTargets: setting(value.targets, [], {
      title: 'Allowed internal targets',
      description:
        'Programs on this PC that pipelines and connections may call: host:port, one per line, such as 127.0.0.1:1433. All other programs on this PC are refused. Open connections to an entry that you remove are closed. Other machines in the plant need no entry.',
      takesEffect: 'at once',
      control: 'lines',
    }),
    egressProxyTargets: setting(value.proxyTargets, [], {
      title: 'Targets through the proxy',
      description: 'Host names, one per line, such as mes.example or *.mes.example.',
      takesEffect: 'at once',
      control: 'lines',
    }),
    egressProxy: setting(value.proxy.nullable(), null, {
      title: 'Proxy for outgoing calls',
      description: 'Such as http://proxy:3128. Empty: no proxy.',
      takesEffect: 'at once',
    }),
    egressDrainRate: setting(value.whole(1, 100_000), 250, {
      title: 'Maximum rate for a backlog',
      description: 'Per target, so that callers are not slowed down.',
      takesEffect: 'at once',
      unit: 'events/s',
    }),
    egressMaxEvents: setting(value.whole(1, 1e9), 1_000_000, {
      title: 'Maximum waiting events',
      description: 'For all targets together.',
      takesEffect: 'at once',
      unit: 'events',
    }),
    egressMaxBytes: setting(value.whole(MIB, TIB), GIB, {
      title: 'Maximum backlog on disk',
      description: 'When it is full, new events are refused and the caller gets an error.',
      takesEffect: 'at once',
      control: 'bytes',
    }),
    diskReserveBytes: setting(value.whole(0, TIB), GIB, {
      title: 'Disk space to keep free',
      description:
        'If less is free, pipelines can no longer store anything: no files, database rows, variables, recordings or outgoing calls.',
      takesEffect: 'at once',
      control: 'bytes',
    }),
  }),
  ...section('journal', {
    journalDays: setting(value.whole(1, 36_500), 90, {
      title: 'Retention',
      description: 'Older rows are removed day by day.',
      takesEffect: 'at once',
      unit: 'days',
    }),
    journalMaxBytes: setting(value.whole(16 * MIB, TIB), 2 * GIB, {
      title: 'Maximum size',
      description: 'When it is reached, the oldest rows are removed first.',
      takesEffect: 'at once',
      control: 'bytes',
    }),
    journalDurability: setting(
      z.enum(['process', 'power'], { error: expected('one_of', { values: ['process', 'power'] }) }),
      'process',
      {
        title: 'Durability of rows',
        description: 'A caller gets its response only after its row is stored like this.',
        takesEffect: 'at once',
        choices: {
          process: 'Rows survive a crash of Sluice',
          power: 'Rows survive a power cut (slower)',
        },
      },
    ),
    journalWrites: setting(
      z.enum(['all', 'folded', 'off'], { error: expected('one_of', { values: ['all', 'folded', 'off'] }) }),
      'folded',
      {
        title: 'Rows for writes',
        description:
          'Each write (tag, variable, file, database, message) and each outgoing call other than GET and HEAD has one row before it and one after it, about 650 bytes together. A tag that is written once a second adds 86,400 writes or 56 MB a day; ten times a second, 560 MB with All and 56 MB with Folded.',
        takesEffect: 'at once',
        choices: {
          all: 'All: each write has its rows',
          folded: 'Folded: writes of triggers share rows, one pair a second for each node and thing',
          off: 'Off: writes are not recorded',
        },
      },
    ),
    journalHeadFile: setting(value.absolutePath.nullable(), null, {
      title: 'File for journal heads',
      description:
        'Absolute path outside the data folder, such as /mnt/audit/line-7.heads on a share. Sluice adds the newest head of the journal every hour and checks at each start that the journal still contains it. Empty: no file.',
      takesEffect: 'at once',
    }),
  }),
  ...section('health', {
    healthLivePath: setting(value.healthPath.nullable(), '/health/live', {
      title: 'Path of the liveness check',
      description:
        'GET on the gateway port returns 200 while the gateway is running, without a key. Empty: off. A running route with the same path takes precedence.',
      takesEffect: 'at once',
    }),
    healthReadyPath: setting(value.healthPath.nullable(), '/health/ready', {
      title: 'Path of the readiness check',
      description:
        'GET returns 200 while calls with a key can be served, otherwise 503. For load balancers. Empty: off. A running route with the same path takes precedence.',
      takesEffect: 'at once',
    }),
  }),
  ...section('metrics', {
    metricsToken: setting(
      z
        .string()
        .min(16, expected('length_min', { min: 16 }))
        .max(256)
        .nullable(),
      null,
      {
        title: 'Token for /metrics',
        description:
          'At least 16 characters. Prometheus sends it as a bearer token. Without a token, metrics are off. With a token, programs on this PC can read them at /metrics on the port of the admin UI.',
        takesEffect: 'at once',
        control: 'secret',
      },
    ),
    metricsPort: setting(value.port.nullable(), null, {
      title: 'Port for other machines',
      description:
        'TCP port on which other machines read the metrics, such as 9464. Nothing else is served there. It uses TLS if the gateway port does. Empty: only this PC can read them.',
      takesEffect: 'at once',
    }),
    metricsHost: setting(value.listenAddress, '0.0.0.0', {
      title: 'Listen address for metrics',
      description: EVERY_CARD,
      takesEffect: 'at once',
    }),
  }),
});

export type Settings = z.infer<typeof settingsSchema>;
export type SettingName = keyof Settings;

export interface SettingFacts extends SettingText {
  readonly section: SettingSection;
  /** The default. */
  readonly usual: unknown;
}

const DEFAULTS = settingsSchema.parse({});

/** All properties of each setting, in the order of the form. */
export const SETTINGS = Object.fromEntries(
  Object.entries(settingsSchema.shape).map(([name, field]) => [
    name,
    { ...field.meta(), usual: DEFAULTS[name as SettingName] },
  ]),
) as unknown as Readonly<Record<SettingName, SettingFacts>>;

/** Write-only: `GET /settings` returns `{ "set": true }` instead of the value. */
export const WRITE_ONLY_SETTINGS = ['tlsKey', 'metricsToken'] as const satisfies (keyof Settings)[];

/** Settings that are valid but not supported on this system. They are refused, so that nobody relies on them. */
export function unservedSettings({ workers }: Settings, platform: string): FieldError[] {
  // Other systems cannot share a port between threads.
  if (workers === 1 || platform === 'linux') return [];
  return [{ path: 'workers', message: 'several workers are supported on Linux only; expected 1' }];
}
