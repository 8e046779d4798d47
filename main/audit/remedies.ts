import { CATALOGUE } from '#common/errors/catalogue.ts';
import type { RefusalWhy } from '#common/model/audit.ts';

type Compared = RefusalWhy['compared'];
type Mend = (compared: Compared) => string;

/**
 * "Why was this refused?": what would let the request pass, in plain words, by cause and else by code
 * (docs/spec/journal.md#why-was-this-refused). Written for the technician who reads it; each names the values that were
 * compared where they help.
 */
const MENDS: Readonly<Record<string, Mend>> = {
  // Step 0: HTTP
  bad_request: () =>
    'Send valid HTTP/1.1: the cause names the part that is wrong. This is for whoever maintains the calling program.',
  trailers: () => 'Send the body without trailers after its last chunk.',
  tls_plain_http: () => 'Call with https://: this port speaks TLS alone. A plain port beside it is a setting.',
  tls_version: () => 'Let the caller speak TLS 1.2 or 1.3; an update of its firmware or library may bring it.',
  tls_cipher: () =>
    'Let the caller offer ECDHE with AES or ChaCha20; an update of its firmware or library may bring it.',
  tls_not_trusted: () =>
    'Give the caller the certificate of the gateway (Settings, Gateway), and let it dial a name or address that it is for.',
  tls_handshake: (c) => `Look at the TLS settings of the caller: the handshake failed${text(c, 'reason', ' with ')}.`,
  tls_too_slow: () => 'Finish the TLS handshake within 5 seconds; look at the network or at a caller that stalls.',
  head_too_slow: () => 'Send the whole request head within 5 seconds; look at the network or at a caller that stalls.',
  body_too_slow: (c) =>
    `Send the body faster than 1 KiB per second; ${num(c, 'receivedBytes', 'bytes')} had arrived when time was up.`,
  request_timeout: () => 'Send the request without pauses; look at the network or at a caller that stalls.',
  headers_too_large: () => 'Send fewer or shorter headers: at most 8 KiB in 64 lines.',
  overloaded: () =>
    'Try again after a moment; if it goes on, spread the calls or find the caller that floods the gateway.',
  requests_in_flight: (c) =>
    `Try again after a moment: ${num(c, 'limit', 'requests')} were under way, the most there may be. Slow pipelines or a flood are the usual causes.`,
  heap_full: (c) =>
    `Try again after a moment: the memory of the gateway is nearly used up. If it continues, look for pipelines that hold large messages for long${text(c, 'holder', '; the largest part is likely held by ')}.`,
  share_of_requests: (c) =>
    `Try again after a moment: one key may have ${num(c, 'limit', 'requests')} in flight, one project ${num(c, 'projectLimit', 'requests')}. Slow pipelines or a flood are the usual causes.`,
  share_of_runs: (c) =>
    `Try again after a moment: one key may have ${num(c, 'limit', 'runs')} under way, one project ${num(c, 'projectLimit', 'runs')}. Runs that go on after their reply count until they end.`,
  share_of_bodies: (c) =>
    `Try again after a moment, or send smaller bodies: those of one key may take ${num(c, 'limit', 'bytes')} of memory, those of one project ${num(c, 'projectLimit', 'bytes')}.`,
  run_cancelled: () => 'The pipeline was stopped while the request ran. Start it again and repeat the call.',
  gateway_stopped: () =>
    'Check what the pipeline had done already, then repeat the call: Sluice was stopped before the run had ended.',
  // Step 1: route
  not_found: (c) => `Check method and path${call(c)}: no running pipeline has such a route.`,
  no_route: (c) => `Check the path${call(c)}: no running pipeline has such a URL pattern. Upper and lower case count.`,
  method_differs: (c) =>
    `Use a method that the path accepts${text(c, 'accepted', ': ')}, or add a route for it: the path is known, the method${text(c, 'method', ' ')} is not.`,
  slash_differs: (c) =>
    `Call the path exactly as the URL pattern${text(c, 'urlPattern', ' ')} is written: it differs only in a trailing slash${text(c, 'path', ' from ')}.`,
  pipeline_stopped: (c) =>
    `Start the pipeline${text(c, 'pipeline', ' ')}${text(c, 'project', ' of the project ')}: it has the route, but is stopped.`,
  route_stopped: () => 'Start the pipeline: the route exists, but its pipeline is stopped.',
  // Steps 2 and 3: address, origin
  ip_not_allowed: (c) =>
    `Add the caller's address${text(c, 'ip', ' ')} to the route's Allowed IPs${text(c, 'allowedIps', ', now ')}. Behind a proxy, add the proxy to Trusted proxies in the settings.`,
  origin_not_allowed: (c) =>
    c['allowedOrigins'] === 'CORS is off'
      ? `Switch on the route's CORS and add the origin${text(c, 'origin', ' ')} to its Allowed origins.`
      : `Add the origin${text(c, 'origin', ' ')} to the route's Allowed origins${text(c, 'allowedOrigins', ', now ')}.`,
  // Step 4: key
  key_missing: () => 'Send the API key in the header X-API-Key.',
  key_invalid: () =>
    'Send a valid key: it is mistyped, unknown or revoked. Make a new one under Settings, API keys, if it was lost.',
  key_repeated: () => 'Send the header X-API-Key exactly once.',
  key_malformed: () =>
    'Send the key complete and unchanged: its form or checksum is wrong, as after a typing error or a cut copy.',
  key_unknown: () =>
    'Use a key that this gateway made: the one sent is well-formed, but unknown here. It may come from another installation.',
  key_revoked: (c) =>
    `Make a new key and give it to the caller: the key${text(c, 'keyId', ' ')} was revoked, and a revoked key never becomes valid again.`,
  keys_unconfirmed: () => 'An Administrator must confirm the restored vault first: until then every key is refused.',
  too_many_failed_keys: (c) =>
    `Stop the calls with missing or wrong keys from this address, then wait: they used up the rate${rate(c)} for failed attempts.`,
  // Step 5: rights
  key_wrong_project: (c) =>
    `Use a key of the project${text(c, 'routeProject', ' ')}: this one belongs to${text(c, 'keyProject', ' ')}.`,
  scope_missing: (c) => {
    const missing = firstText(c, ['missing', 'missingScopes', 'lacking']);
    const scopes = missing === '' ? 'the missing scope' : `the scope ${missing}`;
    if (c['node'] !== undefined) return mendRun(c, scopes);
    return `Give the key ${scopes}, or take it from the route's Required scopes. ${NEW_KEY}`;
  },
  // Step 6: rate
  rate_limited: (c) => `Call less often, or raise the route's Rate limit and Burst limit${rate(c)}.`,
  // Steps 7 and 8: body
  payload_too_large: (c) => {
    const limit = firstText(c, ['limitBytes', 'maxBytes', 'limit', 'maxPayloadSize']);
    return `Send a smaller body, or raise the route's Max payload size${limit === '' ? '' : `, now ${limit} bytes`}.`;
  },
  unsupported_media_type: (c) =>
    `Send the body as UTF-8 without compression${text(c, 'contentType', '; the Content-Type was ')}.`,
  content_coding: (c) => `Send the body without Content-Encoding${text(c, 'contentEncoding', ': it was ')}.`,
  body_invalid: (c) =>
    `Send a body that fits its Content-Type${text(c, 'contentType', ' ')}: the cause says what is wrong with it${text(c, 'at', ', from ')}.`,
  // Steps 9 to 11: journal, run
  audit_unavailable: () =>
    "Free space on the journal's disk, or mend the disk: without its audit journal the gateway runs nothing.",
  route_timeout: (c) => {
    const limit = typeof c['timeoutMs'] === 'number' ? ` of ${c['timeoutMs'] / 1000} s` : '';
    return `Let every path reach an HTTP Response within the route's Timeout${limit}, or raise it${text(c, 'node', '; the run was in the node ')}.`;
  },
  value_invalid: (c) =>
    `Send a value of the kind that the pipeline needs${text(c, 'cause', ': ')}. To answer otherwise, wire the error port of the node${text(c, 'node', ' ')}.`,
  pipeline_failed: (c) => `Mend the pipeline${text(c, 'node', ': it failed in the node ')}${text(c, 'cause', ', ')}.`,
};

const NEW_KEY = "A key's scopes are fixed: make a new key with them.";

/** A run's call without its scope: whose rights it had says where the scope is to be given. */
function mendRun(c: Compared, scopes: string): string {
  const node = `take it from the node ${String(c['node'])}`;
  if (c['revoked'] === true)
    return 'The key was revoked while the run went on, which takes every right from it: repeat the call with a valid key.';
  const held = text(c, 'held', '').split(', ');
  const missing = text(c, 'missing', '').split(', ');
  if (missing.every((scope) => held.includes(scope)))
    return `Add ${scopes} to the list Scopes of the node ${String(c['node'])}: the run has it, but the node's script does not ask for it.`;
  if (c['rights'] === 'grants')
    return `Add ${scopes} to the pipeline's grants, which takes Access settings to start, or ${node}: this run has the grants, not a key's scopes.`;
  return `Give the key ${scopes}, or ${node}. ${NEW_KEY}`;
}

export function remedyOf(code: string, cause: string | undefined, compared: Compared): string {
  const mend = (cause === undefined ? undefined : own(cause)) ?? own(code);
  if (mend) return mend(compared);
  const known = Object.entries(CATALOGUE).find(([name]) => name === code);
  return known ? `${known[1].title}: see the cause.` : 'See the cause: no advice is known for this code.';
}

function own(name: string): Mend | undefined {
  return Object.hasOwn(MENDS, name) ? MENDS[name] : undefined;
}

function text(compared: Compared, name: string, before: string): string {
  const value = compared[name];
  return value === undefined || value === null || value === '' ? '' : `${before}${String(value)}`;
}

function firstText(compared: Compared, names: readonly string[]): string {
  return names.map((name) => text(compared, name, '')).find((value) => value !== '') ?? '';
}

function num(compared: Compared, name: string, unit: string): string {
  const value = compared[name];
  return typeof value === 'number' ? `${value.toLocaleString('en')} ${unit}` : `the limit of ${unit}`;
}

function call(compared: Compared): string {
  const method = text(compared, 'method', '');
  const path = text(compared, 'path', method === '' ? '' : ' ');
  return method + path === '' ? '' : ` (${method}${path})`;
}

function rate(compared: Compared): string {
  const { rate, burst } = compared;
  return typeof rate === 'number' ? ` (now ${rate} per second, burst ${typeof burst === 'number' ? burst : 0})` : '';
}
