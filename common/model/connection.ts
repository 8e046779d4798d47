import { z } from 'zod';
import { CONNECTION_KINDS, type DatabaseKind } from './connection-kinds.ts';
import { projectId } from './ids.ts';
import { expected } from '../errors/rules.ts';
import { numberFrom, textUpTo, wholeFrom } from './bounds.ts';

/**
 * Connections of a project to databases and devices. Secret fields are stored in the vault; everything else is in the
 * project store. Addresses are checked against the address rules of docs/spec/egress.md#addresses (Allowed internal
 * targets).
 */
export const CONNECTIONS_PER_PROJECT_MAX = 50;
/** The largest number of sessions with a database server per connection. */
export const POOL_SESSIONS_MAX = 50;
export const POOL_SESSIONS_DEFAULT = 5;
/** The embedded SQLite database that every project has; it is never stored. */
export const EMBEDDED_CONNECTION = 'embedded';

const HOST_EXPECTED = expected('host');
const host = z
  .string({ error: HOST_EXPECTED })
  .regex(/^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|[0-9A-Fa-f:]{2,45})$/, HOST_EXPECTED)
  .meta({ title: 'Host' });
const port = (usual: number) => wholeFrom('a port', 1, 65_535).default(usual).meta({ title: 'Port' });
const text = (title: string, max = 256) => textUpTo(max).min(1, expected('text')).meta({ title });
const pem = (title: string) =>
  z
    .string({ error: expected('pem') })
    .max(65_536, expected('length_max', { max: 65_536 }))
    .regex(/^\s*-----BEGIN [A-Z0-9 ]+-----/, expected('pem'))
    .nullable()
    .default(null)
    .meta({ title });
const secret = (title: string) => textUpTo(65_536).nullable().default(null).meta({ title, 'x-secret': true });
const seconds = (title: string, usual: number) => numberFrom('seconds', 0.1, 300).default(usual).meta({ title });

/** `verify` checks the certificate against `ca` (or the system's list) and the host name; `encrypt` checks nothing. */
const tls = z
  .enum(['off', 'encrypt', 'verify'], { error: expected('one_of', { values: ['off', 'encrypt', 'verify'] }) })
  .default('off')
  .meta({ title: 'TLS' });

const database = <K extends DatabaseKind>(kind: K, usualPort: number) =>
  z.strictObject({
    kind: z.literal(kind),
    host,
    port: port(usualPort),
    database: text('Database', 128),
    user: text('User', 128),
    password: secret('Password'),
    tls,
    ca: pem('CA certificate'),
    poolMax: wholeFrom('a whole number', 1, POOL_SESSIONS_MAX)
      .default(POOL_SESSIONS_DEFAULT)
      .meta({ title: 'Maximum connections' }),
    connectTimeout: seconds('Connection timeout (seconds)', 5),
  });

const optionalUser = (description: string) => textUpTo(128).default('').meta({ title: 'User', description });

const opcua = z.strictObject({
  kind: z.literal('opcua'),
  host,
  port: port(4840),
  path: z
    .string({ error: expected('form', { what: 'a path', example: '/UA/Server' }) })
    .regex(
      /^(?:\/[\w.~%/-]{0,255})?$/,
      expected('form_exact', { what: 'a path', example: '/UA/Server', also: ', or nothing' }),
    )
    .default('')
    .meta({ title: 'Path' }),
  securityMode: z
    .enum(['None', 'Sign', 'SignAndEncrypt'], {
      error: expected('one_of', { values: ['None', 'Sign', 'SignAndEncrypt'] }),
    })
    .default('SignAndEncrypt')
    .meta({ title: 'Security mode' }),
  securityPolicy: z
    .enum(['None', 'Basic256Sha256', 'Aes128_Sha256_RsaOaep', 'Aes256_Sha256_RsaPss'], {
      error: expected('one_of', {
        values: ['None', 'Basic256Sha256', 'Aes128_Sha256_RsaOaep', 'Aes256_Sha256_RsaPss'],
      }),
    })
    .default('Basic256Sha256')
    .meta({ title: 'Security policy' }),
  /** The server's certificate is trusted if it is one of these (PEM, one or more). */
  trustedCertificates: pem('Trusted server certificates'),
  user: optionalUser('Empty = anonymous.'),
  password: secret('Password'),
});

const modbus = z.strictObject({
  kind: z.literal('modbus'),
  host,
  port: port(502),
  timeout: seconds('Response timeout (seconds)', 2),
});

const mqtt = z.strictObject({
  kind: z.literal('mqtt'),
  host,
  port: port(1883),
  tls,
  ca: pem('CA certificate'),
  clientCertificate: pem('Client certificate'),
  clientKey: secret('Client key'),
  clientId: z
    .string({ error: expected('text') })
    .regex(/^[A-Za-z0-9_-]{0,64}$/, expected('letters_max', { max: 64 }))
    .default('')
    .meta({ title: 'Client ID', description: 'Empty = made by Sluice.' }),
  user: optionalUser('Empty = none.'),
  password: secret('Password'),
});

export const connectionSettings = z.discriminatedUnion(
  'kind',
  [database('postgresql', 5432), database('mysql', 3306), database('sqlserver', 1433), opcua, modbus, mqtt],
  { error: expected('one_of', { values: CONNECTION_KINDS }) },
);

export const connectionDefinition = z.strictObject({
  id: projectId.refine((id) => id !== EMBEDDED_CONNECTION, {
    message: `"${EMBEDDED_CONNECTION}" is the project's own database, which is always there; expected another id`,
  }),
  name: textUpTo(64).default(''),
  settings: connectionSettings,
});

export type ConnectionSettings = z.infer<typeof connectionSettings>;
export type ConnectionKind = ConnectionSettings['kind'];
export type ConnectionOf<K extends ConnectionKind> = Extract<ConnectionSettings, { kind: K }>;
/** With its secrets unencrypted: only in the memory of the host and on the channel to the gateway. */
export type ConnectionDefinition = z.infer<typeof connectionDefinition>;

/** Stored in the vault, shown as `{ "set": true }` or null. */
export const CONNECTION_SECRETS = ['password', 'clientKey'] as const;
