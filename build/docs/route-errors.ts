import { GATEWAY_CODES, type GatewayCode } from '#common/errors/gateway-codes.ts';
import { code, table } from './markdown.ts';

/** The two tables of the guides that list the codes of routes: for integrators and for operators. */

interface Help {
  /** Meaning and remedy in docs/guides/call-a-route.md. */
  readonly caller: readonly [string, string];
  /** Usual cause and remedy in docs/guides/troubleshooting.md. */
  readonly operator: readonly [string, string];
}

/** Markdown. */
const HELP: Readonly<Record<GatewayCode, Help>> = {
  bad_request: {
    caller: [
      'not valid HTTP',
      'fix the program: `detail` usually names the error. Common: a space or a lone `%` in the address, an underscore in the name of a header, HTTP/2 (`curl --http2-prior-knowledge`)',
    ],
    operator: ['the request is not valid HTTP/1.1', '`detail` names the error. Change the calling program'],
  },
  request_timeout: {
    caller: ['the request arrived too slowly', 'send without pauses: the head within 5 s, the body within 15 s'],
    operator: [
      'the caller or the network is too slow',
      'check the network; see the [limits](../reference/limits.md#calling-a-route)',
    ],
  },
  headers_too_large: {
    caller: ['over 8 KiB or 64 lines of headers', 'send fewer; cookies are the usual cause'],
    operator: ['more than 8 KiB or 64 lines of headers', 'send fewer headers; cookies are the usual cause'],
  },
  overloaded: {
    caller: [
      'the gateway is at its limit, or this key or project has used up its share: the pipeline did not run. Or the pipeline was stopped during the run',
      'try again after `Retry-After` seconds, with growing delays',
    ],
    operator: [
      'too many connections, requests, runs or bodies at once, of all callers or of this one; the memory of the gateway is nearly full; the pipeline was stopped; or an edge of a [fleet](fleet.md#revoke-a-key) is applying revocations',
      '_Why?_ names the limit. Find the caller that floods the gateway, or the pipeline that is slow',
    ],
  },
  not_found: {
    caller: [
      'no running route with this method and path',
      'compare method, case and slash with the card. Ask whether the pipeline is stopped',
    ],
    operator: [
      'the pipeline is stopped, or method, path, case or trailing slash differ',
      '_Why?_ names the nearest route. A wrong method is also 404',
    ],
  },
  ip_not_allowed: {
    caller: ["your address is not on the route's list", 'report the address from which you call'],
    operator: [
      "the caller's address is not in _Allowed IPs_",
      'add the address to the node. Behind a proxy, add the proxy to `trustedProxies`',
    ],
  },
  origin_not_allowed: {
    caller: [
      'a browser page of another origin',
      'ask for the origin to be allowed. Better: call from a server, because everybody can read a key in a page',
    ],
    operator: ['a browser page of another origin', 'turn on CORS for the route and add the origin'],
  },
  key_missing: {
    caller: [
      'no `X-API-Key`',
      'send it. A key in `Authorization`, in the URL or in another header is ignored. Redirects and proxies may drop headers',
    ],
    operator: ['no `X-API-Key` header; a proxy or redirect removed it', 'send the key in `X-API-Key`'],
  },
  key_invalid: {
    caller: [
      'mistyped, incomplete, empty, in quotes, after `Bearer`, sent twice, unknown or revoked',
      'send only the key, exactly as you received it. If you did, do not try again; ask for a new key',
    ],
    operator: [
      'the key is mistyped, unknown, revoked, or sent twice',
      '_Why?_ says which. Create a new key if it was revoked',
    ],
  },
  address_not_allowed: {
    caller: ['your key may not be used from your address', 'report the address from which you call'],
    operator: [
      'the key is limited to other addresses',
      'add the address to the limits of the key. Behind a proxy, add the proxy to `trustedProxies`',
    ],
  },
  value_stale: {
    caller: [
      'a value is older than the route allows, or its device is lost; `detail` names it. Earlier nodes may have taken effect',
      'try again later if a second run does no harm; report the device',
    ],
    operator: [
      'the device in `detail` sends no values, or too rarely',
      'check the device, or raise `maxAge` of the node',
    ],
  },
  key_inactive: {
    caller: [
      'your key is paused, has ended, or is not valid at this hour; `detail` says which',
      'try again at the hours in `detail`, or ask the operator',
    ],
    operator: [
      'the key is paused, has ended, or is limited to other hours',
      'resume the key, or change its limits; for hours, check `timeZone`',
    ],
  },
  key_wrong_project: {
    caller: ['a valid key of another project', 'ask for a key of this project'],
    operator: ['the key belongs to another project', 'create a key in the project of the route'],
  },
  scope_missing: {
    caller: ['the key lacks what `detail` names', 'ask for a key with these scopes; scopes cannot be added to a key'],
    operator: [
      'the key lacks a scope that the route or a node needs',
      'create a key with the scope that `detail` names; scopes of a key cannot be changed',
    ],
  },
  limit_missing: {
    caller: [
      'the key or the pipeline is limited, and the route asked for something outside of these limits; with a limit of the key, `limit` names it',
      'ask the operator to add it to the limits',
    ],
    operator: [
      'the run asked for something outside of the limits of the key or of the pipeline',
      '_Why?_ names it and the limits. Add it to these limits',
    ],
  },
  interlock: {
    caller: [
      'a limit of the tag refuses the value, or one of its conditions does not hold; `interlock` has what was compared',
      'call again when the conditions hold',
    ],
    operator: [
      'a write limit of the tag refuses the value, or one of its conditions does not hold',
      '_Why?_ names what was compared. Write later, or change the limits under _Data_, _Tags_',
    ],
  },
  write_stopped: {
    caller: [
      'a user or a tag has stopped writes; `stop` has the reason and the end',
      'call again after the end; without one, ask the operator',
    ],
    operator: [
      'writes to the tags of the project or of the device are stopped',
      'end the stop under _Data_, _Tags_, or reset the tag that stops writes',
    ],
  },
  rate_limited: {
    caller: ['too many calls', 'wait for the number of seconds in `Retry-After`'],
    operator: [
      'more calls than _Rate limit_ and _Burst limit_ of the route allow',
      'call less often, or raise both limits. `Retry-After` says how long to wait',
    ],
  },
  payload_too_large: {
    caller: [
      'the body is larger than the route accepts (1 MiB unless the OpenAPI document says otherwise)',
      'send less at once, or ask',
    ],
    operator: ['the body is larger than _Max payload size_ of the route', 'raise it in the node, or send less'],
  },
  unsupported_media_type: {
    caller: ['compressed, or not UTF-8', 'send it uncompressed, in UTF-8'],
    operator: ['a compressed body, or text that is not UTF-8', 'send it uncompressed and in UTF-8'],
  },
  body_invalid: {
    caller: [
      'the body does not match its `Content-Type`',
      'fix the body: `detail` gives the reason, and often line and column. Common: JSON without `Content-Type: application/json` (curl `-d` sends a form), JSON that is cut off, text sent as JSON, Latin-1 instead of UTF-8',
    ],
    operator: [
      'the body does not match its `Content-Type`, or JSON was sent as a form',
      '`detail` has line and column, or names the missing header',
    ],
  },
  audit_unavailable: {
    caller: ['the journal cannot be written. `detail` says whether the pipeline ran', 'try again, with growing delays'],
    operator: [
      'the audit journal cannot be written: usually a full disk',
      'free disk space; Sluice continues without a restart',
    ],
  },
  storage_unavailable: {
    caller: [
      'the pipeline ran up to a node that stores data, and the disk or the outbox is full; earlier nodes may have taken effect',
      'try again after `Retry-After` seconds, with growing delays, if a second run does no harm',
    ],
    operator: [
      'a node could not store its data: less than the reserve of the disk is free, the project has used up its share, or the outbox is full',
      'see the alarms; free disk space, or make the targets of stored calls reachable again',
    ],
  },
  route_timeout: {
    caller: ['the pipeline did not finish in time; it may have taken effect', 'check the result before you try again'],
    operator: [
      'the pipeline did not reply within _Timeout_',
      '_Runs_ shows the node that was slow. Raise the timeout of the route only if the work needs it',
    ],
  },
  value_invalid: {
    caller: [
      'a value has the wrong type for the pipeline, such as a list instead of a number',
      'send what `detail` names',
    ],
    operator: [
      'a value of the request has the wrong type for a query parameter, is missing, or cannot be part of a tag path',
      '`detail` names the value. For another response, wire the `error` port of the node',
    ],
  },
  pipeline_failed: {
    caller: [
      'a node of the pipeline failed; earlier nodes may have taken effect',
      'report the request ID to the operator of Sluice',
    ],
    operator: [
      'a node failed and nothing handled its `error` port',
      'open the pipeline, _Runs_: the failed node shows its code. See [node errors](#node-errors)',
    ],
  },
};

const PIPELINE_REFUSES = [
  '400',
  'none',
  'the pipeline refuses the values',
  'read the response: it names the fields (see [the two forms of 400](#the-two-forms-of-400))',
];
const NO_ANSWER = [
  'none',
  'none',
  'connection refused or no answer',
  '[Install and start](#install-and-start); with TLS on, see [TLS](#tls)',
];

/** The guide for integrators with its table. */
export function withCallerErrors(page: string): string {
  const rows = [...rowsFor('caller'), PIPELINE_REFUSES].toSorted(byStatus);
  return withTable(page, '## Errors', table(['Status', '`code`', 'Meaning', 'Remedy'], rows));
}

/** The guide for operators with its table. */
export function withOperatorErrors(page: string): string {
  const rows = [NO_ANSWER, ...rowsFor('operator').toSorted(byStatus)];
  return withTable(page, '## Calling a route', table(['Status', 'Code', 'Usual cause', 'What to do'], rows));
}

function rowsFor(reader: keyof Help): string[][] {
  return (Object.keys(GATEWAY_CODES) as GatewayCode[]).map((name) => [
    String(GATEWAY_CODES[name].status),
    code(name),
    ...HELP[name][reader],
  ]);
}

function byStatus([a = '']: readonly string[], [b = '']: readonly string[]): number {
  return Number(a) - Number(b);
}

/** Replaces the first table below the heading. Throws RangeError if there is none. */
function withTable(page: string, heading: string, rows: string): string {
  const section = page.indexOf(`\n${heading}\n`);
  const begin = page.indexOf('\n| ', section) + 1;
  const end = page.indexOf('\n\n', begin);
  if (section < 0 || begin === 0 || end < 0) throw new RangeError(`expected a table below ${heading}`);
  return page.slice(0, begin) + rows + page.slice(end);
}
