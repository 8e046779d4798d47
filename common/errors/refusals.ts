import type { ErrorCode } from './catalogue.ts';
import { STOPPED_CODE } from './gateway-codes.ts';
import type { RemedyName } from './remedies.ts';
import type { ParserCode, RequestFault } from './request-faults.ts';

/**
 * Causes of refusals by the gateway (docs/spec/journal.md#why-was-this-refused). The name of a cause is stored in the
 * journal and keeps its meaning. `compared` names the values in its row; those marked with `?` can be missing. The
 * sentences are in `common/languages/<language>/errors/refusals.ts`; a cause without a sentence in each language does
 * not compile.
 */
interface Declared {
  readonly code: ErrorCode;
  readonly compared: readonly string[];
  readonly remedies: readonly RemedyName[];
}

const HTTP = {
  trailers: { code: 'bad_request', compared: [], remedies: ['noTrailers'] },
  head_too_slow: { code: 'request_timeout', compared: [], remedies: ['network'] },
  body_too_slow: { code: 'request_timeout', compared: ['receivedBytes'], remedies: ['network'] },
  headers_too_large: { code: 'headers_too_large', compared: ['bytes?', 'lines?'], remedies: ['fewerHeaders'] },
} as const satisfies Record<string, Declared>;

const TLS = {
  tls_plain_http: { code: 'bad_request', compared: ['reason'], remedies: ['useTls'] },
  tls_version: { code: 'bad_request', compared: ['reason'], remedies: ['newerTls'] },
  tls_cipher: { code: 'bad_request', compared: ['reason'], remedies: ['newerTls'] },
  tls_not_trusted: { code: 'bad_request', compared: ['reason'], remedies: ['trust'] },
  tls_handshake: { code: 'bad_request', compared: ['reason'], remedies: ['newerTls'] },
  tls_too_slow: { code: 'request_timeout', compared: [], remedies: ['network'] },
} as const satisfies Record<string, Declared>;

const SHARE = { code: 'overloaded', compared: ['limit', 'projectLimit'] } as const;

const LOAD = {
  requests_in_flight: { code: 'overloaded', compared: ['limit'], remedies: ['tryAgain'] },
  queue_full: { code: 'overloaded', compared: ['limitMs'], remedies: ['tryAgain'] },
  replies_in_memory: { code: 'overloaded', compared: ['limitBytes'], remedies: ['takeReply'] },
  heap_full: { code: 'overloaded', compared: ['holder?', 'holderProject?'], remedies: ['tryAgain'] },
  share_of_requests: { ...SHARE, remedies: ['tryAgain'] },
  share_of_runs: { ...SHARE, remedies: ['tryAgain'] },
  share_of_bodies: { ...SHARE, remedies: ['tryAgain', 'smallerBody'] },
  connections: { code: 'overloaded', compared: ['limit?'], remedies: ['fewerConnections', 'tryAgain'] },
  connections_per_address: { code: 'overloaded', compared: [], remedies: ['fewerConnections'] },
  made_room: { code: 'overloaded', compared: ['limit'], remedies: ['fewerConnections', 'network'] },
  'too many pipelined requests': { code: 'overloaded', compared: [], remedies: ['waitAnswers'] },
  run_cancelled: { code: 'overloaded', compared: [], remedies: ['startPipeline'] },
  gateway_stopped: { code: 'overloaded', compared: [], remedies: ['repeatChecked'] },
} as const satisfies Record<string, Declared>;

const ROUTE = {
  code: 'not_found',
  compared: ['method', 'path', 'project?', 'pipeline?', 'urlPattern?', 'accepted?'],
} as const;
const KEY = { code: 'key_invalid', compared: ['keyId'] } as const;
const RATE = { code: 'rate_limited', compared: ['rate', 'burst'] } as const;

const ACCESS = {
  no_route: { ...ROUTE, remedies: ['usePath'] },
  method_differs: { ...ROUTE, remedies: ['useMethod'] },
  slash_differs: { ...ROUTE, remedies: ['exactPath'] },
  pipeline_stopped: { ...ROUTE, code: STOPPED_CODE, remedies: ['startSome'] },
  ip_not_allowed: { code: 'ip_not_allowed', compared: ['ip', 'allowedIps'], remedies: ['addAddress', 'trustProxy'] },
  origin_not_allowed: { code: 'origin_not_allowed', compared: ['origin', 'allowedOrigins'], remedies: ['addOrigin'] },
  key_missing: { code: 'key_missing', compared: [], remedies: ['sendKey', 'newKey'] },
  key_repeated: { code: 'key_invalid', compared: ['headers'], remedies: ['sendOnce'] },
  key_malformed: { ...KEY, remedies: ['sendWhole', 'newKey'] },
  key_unknown: { ...KEY, remedies: ['newKey'] },
  key_revoked: { ...KEY, remedies: ['newKey'] },
  keys_unconfirmed: { ...KEY, remedies: ['confirmVault'] },
  fleet_returning: { code: 'overloaded', compared: ['keyId'], remedies: ['tryAgain'] },
  address_not_allowed: {
    code: 'address_not_allowed',
    compared: ['ip', 'addresses'],
    remedies: ['keyLimits', 'trustProxy'],
  },
  key_paused: { code: 'key_inactive', compared: ['reason'], remedies: ['resumeKey'] },
  key_ended: { code: 'key_inactive', compared: ['until'], remedies: ['keyLimits', 'newKey'] },
  outside_hours: { code: 'key_inactive', compared: ['hours', 'zone'], remedies: ['keyLimits', 'plantZone'] },
  key_wrong_project: {
    code: 'key_wrong_project',
    compared: ['keyProject', 'routeProject'],
    remedies: ['keyOfProject'],
  },
  scope_missing: {
    code: 'scope_missing',
    compared: ['missing', 'required?', 'held', 'node?', 'cause?', 'rights?', 'revoked?'],
    remedies: ['createKey', 'routeScopes'],
  },
  limit_missing: {
    code: 'limit_missing',
    compared: ['scope', 'thing', 'limit', 'node', 'cause'],
    remedies: ['keyLimits'],
  },
  pipeline_limit: {
    code: 'limit_missing',
    compared: ['scope', 'thing', 'limit', 'node', 'cause'],
    remedies: ['pipelineLimits'],
  },
  rate_limited: { ...RATE, remedies: ['callLess', 'raiseRate'] },
  too_many_failed_keys: { ...RATE, remedies: ['stopWrong', 'raiseRate'] },
} as const satisfies Record<string, Declared>;

const BODY_AND_RUN = {
  payload_too_large: {
    code: 'payload_too_large',
    compared: ['bodyBytes', 'maxPayloadSize'],
    remedies: ['smallerBody', 'raiseSize'],
  },
  content_coding: { code: 'unsupported_media_type', compared: ['contentEncoding'], remedies: ['plainBody'] },
  route_timeout: { code: 'route_timeout', compared: ['timeoutMs', 'node'], remedies: ['everyPath', 'raiseTimeout'] },
  value_stale: { code: 'value_stale', compared: ['node', 'cause'], remedies: ['fixDevice', 'raiseAge'] },
  interlock: {
    code: 'interlock',
    compared: ['node', 'cause', 'tag?', 'limit?', 'expected?', 'found?', 'age?'],
    remedies: ['awaitLimits', 'tagLimits'],
  },
  write_stopped: {
    code: 'write_stopped',
    compared: ['node', 'cause', 'of?', 'name?', 'reason?', 'until?'],
    remedies: ['endStop', 'awaitStop'],
  },
  value_invalid: { code: 'value_invalid', compared: ['node', 'cause'], remedies: ['fitValue', 'fixPipeline'] },
  storage_unavailable: { code: 'storage_unavailable', compared: ['node', 'cause'], remedies: ['freeSpace'] },
  write_unrecorded: { code: 'audit_unavailable', compared: ['node', 'cause'], remedies: ['freeDisk'] },
  pipeline_failed: { code: 'pipeline_failed', compared: ['node', 'cause'], remedies: ['fixPipeline'] },
} as const satisfies Record<string, Declared>;

/** Every cause by its name in the journal. */
export const CAUSES = { ...HTTP, ...TLS, ...LOAD, ...ACCESS, ...BODY_AND_RUN };
export type RefusalCause = keyof typeof CAUSES;

const RUN_SCOPE = ['missing', 'held', 'node'] as const;

/** Causes whose sentence depends on the compared values. */
const VARIANTS = {
  cors_off: { code: 'origin_not_allowed', compared: ['origin'], remedies: ['corsOn'] },
  heap_held: { code: 'overloaded', compared: ['holder', 'holderProject'], remedies: ['tryAgain'] },
  run_scope: { code: 'scope_missing', compared: RUN_SCOPE, remedies: ['createKey', 'nodeScope'] },
  run_grants: { code: 'scope_missing', compared: RUN_SCOPE, remedies: ['grants', 'nodeScope'] },
  run_revoked: { code: 'scope_missing', compared: RUN_SCOPE, remedies: ['newKey'] },
  run_script: { code: 'scope_missing', compared: RUN_SCOPE, remedies: ['scriptScopes'] },
} as const satisfies Record<string, Declared>;

/**
 * For causes whose row contains the text (faults of a request, see `request-faults.ts`), and for rows without a cause.
 */
const BY_CODE = {
  bad_request: { code: 'bad_request', compared: ['header?'], remedies: ['callerHttp'] },
  request_timeout: { code: 'request_timeout', compared: [], remedies: ['network'] },
  overloaded: { code: 'overloaded', compared: [], remedies: ['tryAgain'] },
  key_invalid: { code: 'key_invalid', compared: [], remedies: ['sendWhole', 'newKey'] },
  unsupported_media_type: { code: 'unsupported_media_type', compared: ['contentType'], remedies: ['sendUtf8'] },
  body_invalid: { code: 'body_invalid', compared: ['contentType', 'at?'], remedies: ['fitBody'] },
  audit_unavailable: { code: 'audit_unavailable', compared: [], remedies: ['freeDisk'] },
} as const satisfies Record<string, Declared>;

/** Everything that has a text: each entry has a sentence and at least one remedy. */
export const EXPLANATIONS = { ...CAUSES, ...VARIANTS, ...BY_CODE };
export type Explanation = keyof typeof EXPLANATIONS;

/** Names in rows of earlier versions, and codes that use the sentence of a cause. */
export const EXPLAINED_AS: Readonly<Record<string, Explanation>> = {
  not_found: 'no_route',
  route_stopped: 'pipeline_stopped',
  key_inactive: 'key_paused',
};

/** The cause of a row. */
export type RecordedCause = RefusalCause | RequestFault | ParserCode;

type Value = string | number | boolean | null;
type Named<E extends Explanation> = (typeof EXPLANATIONS)[E]['compared'][number];
type Optional<N extends string> = N extends `${infer Name}?` ? Name : never;
type Required<N extends string> = N extends `${string}?` ? never : N;
/** The compared values in a row with this cause. Never a secret. */
export type Compared<E extends Explanation> = {
  [N in Required<Named<E>>]: Value;
} & { [N in Optional<Named<E>>]?: Value };

/** Names of the values that a sentence can fill in: those that are in every row with this cause. */
export type ValuesOf<E extends Explanation> = Required<Named<E>>;
