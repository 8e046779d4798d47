import type { Refusal } from '#common/model/audit.ts';

/** Each is a text of `journalPage.said`. */
export type Said = keyof typeof REMEDIES;
/** Where a remedy is carried out, and what a person needs for it. */
export type Place = 'key' | 'route' | 'pipeline' | 'pipelines' | 'routes' | 'gateway' | 'overview';
export interface Fix {
  name: FixName;
  place: Place | null;
}
type FixName = keyof typeof FIXES;

/** Each remedy and where it is carried out; null = at the caller's. */
const FIXES = {
  routeScopes: 'route',
  nodeScope: 'pipeline',
  grants: 'pipeline',
  scriptScopes: 'pipeline',
  callerHttp: null,
  noTrailers: null,
  network: null,
  useTls: 'gateway',
  newerTls: null,
  trust: 'gateway',
  fewerHeaders: null,
  tryAgain: 'overview',
  fewerConnections: null,
  waitAnswers: null,
  startPipeline: 'pipeline',
  startSome: 'pipelines',
  usePath: 'routes',
  useMethod: 'routes',
  exactPath: 'routes',
  addAddress: 'route',
  trustProxy: 'gateway',
  addOrigin: 'route',
  corsOn: 'route',
  sendKey: null,
  sendOnce: null,
  sendWhole: null,
  newKey: 'key',
  keyOfProject: 'key',
  confirmVault: 'overview',
  stopWrong: null,
  callLess: null,
  raiseRate: 'route',
  smallerBody: null,
  takeReply: null,
  raiseSize: 'route',
  plainBody: null,
  sendUtf8: null,
  fitBody: null,
  fitValue: null,
  freeDisk: 'gateway',
  raiseTimeout: 'route',
  everyPath: 'pipeline',
  mendPipeline: 'pipeline',
} as const satisfies Record<string, Place | null>;

/** What lets a call pass, by why it was refused. Scopes have two more remedies, which are worked out (`fixes.tsx`). */
export const REMEDIES = {
  bad_request: ['callerHttp'],
  trailers: ['noTrailers'],
  head_too_slow: ['network'],
  body_too_slow: ['network'],
  request_timeout: ['network'],
  tls_plain_http: ['useTls'],
  tls_version: ['newerTls'],
  tls_cipher: ['newerTls'],
  tls_not_trusted: ['trust'],
  tls_handshake: ['newerTls'],
  tls_too_slow: ['network'],
  headers_too_large: ['fewerHeaders'],
  overloaded: ['tryAgain'],
  requests_in_flight: ['tryAgain'],
  queue_full: ['tryAgain'],
  replies_in_memory: ['takeReply'],
  heap_full: ['tryAgain'],
  share_of_requests: ['tryAgain'],
  share_of_runs: ['tryAgain'],
  share_of_bodies: ['tryAgain', 'smallerBody'],
  connections: ['fewerConnections', 'tryAgain'],
  pipelined: ['waitAnswers'],
  run_cancelled: ['startPipeline'],
  gateway_stopped: ['tryAgain'],
  no_route: ['usePath'],
  method_differs: ['useMethod'],
  slash_differs: ['exactPath'],
  pipeline_stopped: ['startSome'],
  ip_not_allowed: ['addAddress', 'trustProxy'],
  origin_not_allowed: ['addOrigin'],
  cors_off: ['corsOn'],
  key_missing: ['sendKey', 'newKey'],
  key_invalid: ['sendWhole', 'newKey'],
  key_repeated: ['sendOnce'],
  key_malformed: ['sendWhole', 'newKey'],
  key_unknown: ['newKey'],
  key_revoked: ['newKey'],
  keys_unconfirmed: ['confirmVault'],
  too_many_failed_keys: ['stopWrong', 'raiseRate'],
  key_wrong_project: ['keyOfProject'],
  scope_missing: ['routeScopes'],
  run_scope: ['nodeScope'],
  run_grants: ['grants', 'nodeScope'],
  run_revoked: ['newKey'],
  run_script: ['scriptScopes'],
  rate_limited: ['callLess', 'raiseRate'],
  payload_too_large: ['smallerBody', 'raiseSize'],
  content_coding: ['plainBody'],
  unsupported_media_type: ['sendUtf8'],
  body_invalid: ['fitBody'],
  audit_unavailable: ['freeDisk'],
  route_timeout: ['everyPath', 'raiseTimeout'],
  value_invalid: ['fitValue', 'mendPipeline'],
  pipeline_failed: ['mendPipeline'],
} as const satisfies Record<string, readonly FixName[]>;

/** Causes that go by another name. */
const SAME: Record<string, Said> = {
  not_found: 'no_route',
  route_stopped: 'pipeline_stopped',
  connections_per_address: 'connections',
  'too many pipelined requests': 'pipelined',
};

const isSaid = (name: string): name is Said => Object.hasOwn(REMEDIES, name);

/** By which words this refusal is explained; null: a code that this window does not know. */
export function saidOf(refusal: Refusal): Said | null {
  const { code, cause = code, compared } = refusal;
  if (code === 'scope_missing' && compared['node'] !== undefined) return runSaid(refusal);
  if (code === 'origin_not_allowed' && compared['allowedOrigins'] === 'CORS is off') return 'cors_off';
  const name = [cause, SAME[cause], code, SAME[code]].find((one) => one !== undefined && isSaid(one));
  return name !== undefined && isSaid(name) ? name : null;
}

/** A run's call without its scope: whose rights the run had says where the scope is to be given. */
function runSaid({ compared }: Refusal): Said {
  if (compared['revoked'] === true) return 'run_revoked';
  const held = listOf(compared['held']);
  if (listOf(compared['missing']).every((scope) => held.includes(scope))) return 'run_script';
  return compared['rights'] === 'grants' ? 'run_grants' : 'run_scope';
}

export function fixesOf(said: Said): Fix[] {
  return REMEDIES[said].map((name) => ({ name, place: FIXES[name] }));
}

/** Scopes as they are compared: `db:read, db:write`. */
export function listOf(value: Refusal['compared'][string] | undefined): string[] {
  return typeof value === 'string' && value !== '' ? value.split(', ') : [];
}

/** Whether only a key with more scopes lets the call pass, or one without this call. */
export const asksForScopes = (said: Said) => said === 'scope_missing' || said === 'run_scope';

export type StepState = 'passed' | 'refused' | 'skipped';

/**
 * The way of the request through steps 0 to 11. A source that failed too often is told to wait in place of being told
 * what was wrong with its key: there the key, or its scopes, did not pass either.
 */
export function wayOf({ step, cause, keyId }: Refusal): StepState[] {
  const failedToo = cause === 'too_many_failed_keys' ? (keyId === undefined ? 4 : 5) : null;
  return Array.from({ length: 12 }, (_, one) => {
    if (one === step || one === failedToo) return 'refused';
    if (failedToo !== null && one > failedToo && one < step) return 'skipped';
    return one < step ? 'passed' : 'skipped';
  });
}
