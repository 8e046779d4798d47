import type { ConnectionKind } from '#common/model/connection.ts';

export type FieldName =
  | 'host'
  | 'port'
  | 'database'
  | 'user'
  | 'password'
  | 'tls'
  | 'ca'
  | 'poolMax'
  | 'connectTimeout'
  | 'path'
  | 'securityMode'
  | 'securityPolicy'
  | 'trustedCertificates'
  | 'timeout'
  | 'clientCertificate'
  | 'clientKey'
  | 'clientId';

export type SecretName = 'password' | 'clientKey';

interface FieldBase {
  readonly name: FieldName;
  /** The default of the server. */
  readonly usual: string;
}
export type ConnectionField =
  | (FieldBase & { readonly kind: 'text' | 'pem' | 'whole' | 'seconds' })
  | (FieldBase & { readonly kind: 'choice'; readonly options: readonly string[] })
  | (FieldBase & { readonly kind: 'secret'; readonly name: SecretName });

const text = (name: FieldName, usual = '') => ({ name, kind: 'text', usual }) as const;
const pem = (name: FieldName) => ({ name, kind: 'pem', usual: '' }) as const;
const whole = (name: FieldName, usual: number) => ({ name, kind: 'whole', usual: String(usual) }) as const;
const seconds = (name: FieldName, usual: number) => ({ name, kind: 'seconds', usual: String(usual) }) as const;
const choice = (name: FieldName, options: readonly string[], usual: string) =>
  ({ name, kind: 'choice', options, usual }) as const;
const secret = (name: SecretName) => ({ name, kind: 'secret', usual: '' }) as const;

const TLS = choice('tls', ['off', 'encrypt', 'verify'], 'off');
const server = (port: number) => [text('host'), whole('port', port)];
const database = (port: number) => [
  ...server(port),
  text('database'),
  text('user'),
  secret('password'),
  TLS,
  pem('ca'),
  whole('poolMax', 5),
  seconds('connectTimeout', 5),
];

/** The fields of the form for each kind of connection. */
const FIELDS: Record<ConnectionKind, readonly ConnectionField[]> = {
  postgresql: database(5432),
  mysql: database(3306),
  sqlserver: database(1433),
  opcua: [
    ...server(4840),
    text('path'),
    choice('securityMode', ['SignAndEncrypt', 'Sign', 'None'], 'SignAndEncrypt'),
    choice(
      'securityPolicy',
      ['Basic256Sha256', 'Aes128_Sha256_RsaOaep', 'Aes256_Sha256_RsaPss', 'None'],
      'Basic256Sha256',
    ),
    pem('trustedCertificates'),
    text('user'),
    secret('password'),
  ],
  modbus: [...server(502), seconds('timeout', 2)],
  mqtt: [
    ...server(1883),
    text('user'),
    secret('password'),
    text('clientId'),
    TLS,
    pem('ca'),
    pem('clientCertificate'),
    secret('clientKey'),
  ],
};

export const fieldsOf = (kind: ConnectionKind): readonly ConnectionField[] => FIELDS[kind];
