import { join } from 'node:path';
import type { CertificateAndKey } from '#common/node/own-certificate.ts';
import type { RawPair } from '#common/node/fleet/raw-keys.ts';
import { RECORD_BYTES_MAX } from '#common/fleet/records.ts';
import { type Subjects, fleetClaims, issuerOf, makeJwt, nkeyOf, operatorClaims, systemClaims } from './jwt.ts';

/** Keys of the hub for NATS, in its vault. */
export interface NatsKeys {
  operator: RawPair;
  system: RawPair;
  account: RawPair;
  /** Signs the users of edges. */
  edges: RawPair;
}

export interface ServerPlace {
  /** Folder of configuration, certificate and streams. */
  folder: string;
  host: string;
  port: number;
}

/** Subjects of the fleet (docs/decisions/0025-a-fleet-on-nats.md). Trees of different streams do not overlap. */
export const SUBJECTS = {
  enrol: 'sl.hub.enrol',
  checkin: (edge: string) => `sl.hub.checkin.${edge}`,
  ack: (edge: string) => `sl.e.${edge}.up.ack`,
  desired: (edge: string) => `$KV.SL_DESIRED.edge.${edge}`,
  /** Where the server repeats a new assignment for its edge. */
  desiredNews: (edge: string) => `sl.e.${edge}.dn.desired`,
  /** A revocation that is sent again to one edge. */
  revocationAgain: (edge: string) => `sl.e.${edge}.dn.rev`,
  revocation: (serial: number) => `sl.rev.${serial}`,
  revocationNews: 'sl.all.rev.*',
} as const;

export const STREAMS = { desired: 'KV_SL_DESIRED', revocations: 'SL_REV' } as const;
/** The prefix of a direct get, followed by stream and subject. */
export const DIRECT_GET = '$JS.API.DIRECT.GET';

/** Permissions of the user of an edge; `{{name()}}` is its name. */
export const EDGE_SUBJECTS: Subjects = {
  pub: [
    'sl.e.{{name()}}.up.>',
    'sl.hub.checkin.{{name()}}',
    `${DIRECT_GET}.${STREAMS.desired}.$KV.SL_DESIRED.edge.{{name()}}`,
    `${DIRECT_GET}.${STREAMS.revocations}.sl.rev.*`,
  ],
  sub: ['sl.e.{{name()}}.dn.>', 'sl.all.>', '_INBOX.{{name()}}.>'],
};

/** The inbox of an enrolment, which only the holder of the token knows. */
export const enrolSubjects = (token: string): Subjects => ({ pub: [SUBJECTS.enrol], sub: [`_INBOX.${token}.>`] });

export const CONFIG_FILE = 'nats-server.conf';
const FILE_BYTES_MAX = 4 * 1024 ** 3;
const CONNECTIONS_MAX = 12_000;

/** `revoked`: users of expelled edges, with the time in seconds up to which their JWTs are void. */
export type RevokedUsers = Readonly<Record<string, number>>;

/** The configuration file of nats-server, which contains no private key but that of the certificate's file beside it. */
export function serverConfig(
  { folder, host, port }: ServerPlace,
  keys: NatsKeys,
  revoked: RevokedUsers,
  nowMs: number,
): string {
  const operator = issuerOf('operator', keys.operator);
  const system = nkeyOf('account', keys.system);
  const account = nkeyOf('account', keys.account);
  const fleet = fleetClaims({ account, signingKey: nkeyOf('account', keys.edges), template: EDGE_SUBJECTS, revoked });
  const text = JSON.stringify;
  return [
    'server_name: sluice-hub',
    `host: ${text(host)}`,
    `port: ${port}`,
    `max_payload: ${RECORD_BYTES_MAX + 24_576}`,
    `max_connections: ${CONNECTIONS_MAX}`,
    'ping_interval: "10s"',
    `log_file: ${text(join(folder, 'nats-server.log'))}`,
    'logfile_size_limit: 1000000',
    'logfile_max_num: 3',
    `pid_file: ${text(join(folder, PID_FILE))}`,
    'tls {',
    `  cert_file: ${text(join(folder, CERTIFICATE_FILE))}`,
    `  key_file: ${text(join(folder, KEY_FILE))}`,
    // A client that starts with TLS cannot be talked into plain text.
    '  handshake_first: true',
    '}',
    `operator: ${makeJwt(operator, operatorClaims(operator.issuer, system), nowMs)}`,
    `system_account: ${system}`,
    'resolver: MEMORY',
    'resolver_preload: {',
    `  ${account}: ${makeJwt(operator, fleet, nowMs)}`,
    `  ${system}: ${makeJwt(operator, systemClaims(system), nowMs)}`,
    '}',
    `jetstream { store_dir: ${text(join(folder, 'streams'))}, max_mem: 0, max_file: ${FILE_BYTES_MAX}, sync_interval: always }`,
    '',
  ].join('\n');
}

export const CERTIFICATE_FILE = 'certificate.pem';
export const KEY_FILE = 'certificate-key.pem';
export const PID_FILE = 'nats-server.pid';

/** The certificate with its authority, as the server sends them. */
export function chainOf(server: CertificateAndKey, authority: Pick<CertificateAndKey, 'certificate'>): string {
  return server.certificate + authority.certificate;
}
