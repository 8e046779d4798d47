import {
  PAYLOAD_BYTES_MAX,
  routeSettings,
  TIMEOUT_SECONDS_MAX,
  TIMEOUT_SECONDS_MIN,
} from '#common/model/route-settings.ts';
import { REPLY_HEADER_VALUE_CHARS_MAX, REPLY_HEADERS_MAX } from '#common/model/reply-headers.ts';
import * as http from '../gateway/http/limits.ts';
import { KEPT_PER_KEY, KEYS_MAX } from '../gateway/http/recent-refusals.ts';
import { SELF_SERVICE_BURST, SELF_SERVICE_RATE } from '../gateway/http/self-service.ts';
import { HALF, QUARTER } from '../gateway/net/shares.ts';
import { count, type LimitArea, size, time } from './docs/limit-row.ts';

const DEFAULTS = routeSettings.parse({ mode: 'ingress' });

/** Limits for callers of a route. */
export const CALLS: LimitArea = {
  title: 'Calling a route',
  lead: 'The node settings are those of the `rest-api` node that publishes the route. Connections and sizes hold for the gateway port as a whole.',
  limits: [
    {
      what: 'Open connections to the gateway',
      value: count(http.CONNECTIONS_MAX),
      atLimit:
        'one is closed: first one without a request so far, then an idle one that has shown no API key, then one of the address that has the most; otherwise 503 `overloaded`, cause `connections`',
    },
    {
      what: 'Connections without a request that are closed for others',
      value: `${http.SILENT_ENDS.perSecondMax} a second; ${count(http.SILENT_ENDS.waitingMax)} wait, beyond the limit above`,
      atLimit: 'further ones are closed at once',
    },
    {
      what: 'Open connections from one address, or one /64 of IPv6',
      value: count(http.CONNECTIONS_PER_ADDRESS_MAX),
      setting: '`trustedProxies`: addresses in it are exempt',
      atLimit:
        'the longest idle connection of this address is closed; if none is idle, 503 `overloaded`, cause `connections_per_address`',
    },
    {
      what: 'Requests in progress',
      value: count(http.REQUESTS_IN_FLIGHT_MAX),
      atLimit: `503 \`overloaded\` with \`Retry-After: ${http.OVERLOADED_RETRY_SECONDS}\``,
    },
    {
      what: 'Requests in progress with one key, or from one network without keys; in one project',
      value: `${count(http.REQUESTS_IN_FLIGHT_MAX * QUARTER)}; ${count(http.REQUESTS_IN_FLIGHT_MAX * HALF)}`,
      atLimit: '503 `overloaded`, cause `share_of_requests`',
    },
    {
      what: 'Runs of requests in progress, also after their reply; with one key; in one project',
      value: [1, QUARTER, HALF].map((part) => count(http.RUNS_MAX * part)).join('; '),
      atLimit: '503 `overloaded`, cause `share_of_runs`',
    },
    {
      what: 'Requests of one connection that wait for the one before (pipelining)',
      value: count(http.PIPELINED_MAX),
      atLimit: '503 `overloaded`, cause `too many pipelined requests`',
    },
    {
      what: 'TLS handshake',
      value: time(http.HANDSHAKE_MS_MAX),
      atLimit: 'the connection is closed',
    },
    {
      what: 'Time until the request line and headers are complete',
      value: time(http.HEAD_MS_MAX),
      atLimit: '408 `request_timeout`',
    },
    { what: 'Path and query', value: size(http.TARGET_BYTES_MAX), atLimit: '400 `bad_request`' },
    { what: 'All header lines together', value: size(http.HEADER_BYTES_MAX), atLimit: '431 `headers_too_large`' },
    { what: 'Header lines', value: count(http.HEADER_LINES_MAX), atLimit: '431 `headers_too_large`' },
    {
      what: 'Body',
      value: `${size(DEFAULTS.maxPayloadSize)} by default, at most ${size(PAYLOAD_BYTES_MAX)}`,
      setting: 'node setting `maxPayloadSize`',
      atLimit: '413 `payload_too_large`',
    },
    {
      what: 'Time for a body',
      value: `${time(http.BODY_MS_MAX)}, or the timeout of the route if that is longer`,
      setting: 'node setting `timeout`',
      atLimit: '408 `request_timeout`',
    },
    {
      what: 'Minimum rate of a body',
      value: `${size(http.BODY_BYTES_PER_SECOND_MIN)}/s after ${time(http.BODY_GRACE_MS)}`,
      atLimit: '408 `request_timeout`',
    },
    {
      what: 'Nesting of a JSON body',
      value: `${count(http.JSON_DEPTH_MAX)} levels`,
      atLimit: '400 `body_invalid`',
    },
    {
      what: 'All request bodies while they arrive; with one key; in one project',
      value: [1, QUARTER, HALF].map((part) => size(http.BODIES_BYTES_MAX * part)).join('; '),
      atLimit: '503 `overloaded`, cause `share_of_bodies`',
    },
    {
      what: 'The same in memory, estimated, until their runs end',
      value: `${[1, QUARTER, HALF].map((part) => size(http.PARSED_BYTES_MAX * part)).join('; ')}, less if the heap is smaller than 2 GiB; one body alone may take what its project may`,
      atLimit: '503 `overloaded`, cause `share_of_bodies`',
    },
    {
      what: `Reading and parsing bodies above ${size(http.LONG_BODY_BYTES)}, in one turn of the event loop`,
      value: `${http.LANE_MS_PER_TURN_MAX} ms and ${size(http.LANE_BYTES_PER_TURN_MAX)} for all of them, a chunk as at least ${size(http.LANE_CHUNK_BYTES_MIN)}; projects take turns`,
      atLimit: 'the rest is read and parsed in later turns',
    },
    {
      what: 'Work on a body that cannot be divided (measured, CPU time)',
      value:
        'a text of 64 MiB: 50 ms; 500,000 names in one object: 40 to 70 ms; first use of a JSON string or a value of a form of 64 MiB: 40 to 80 ms',
      atLimit: 'other callers wait that long',
    },
    {
      what: 'Refusals of such requests by a share',
      value: `${http.LONG_REFUSALS.perSecondMax} answers a second; ${http.LONG_REFUSALS.waitingMax} wait`,
      atLimit: 'answered at once',
    },
    {
      what: 'Heap of the gateway',
      value: `${http.HEAP_WATERMARK * 100} % of what Node.js gives it, by default half of the memory of the PC, at most 4 GiB`,
      atLimit: '503 `overloaded`, cause `heap_full`',
    },
    {
      what: 'All replies that callers have not read yet',
      value: size(http.REPLIES_BYTES_MAX),
      atLimit: 'a connection is closed; the journal has `overloaded`, cause `replies_in_memory`',
    },
    {
      what: 'Time without progress while a caller reads a reply',
      value: `${time(http.REPLY_STALL_MS_MAX)}, and at least ${size(http.REPLY_BYTES_PER_SECOND_MIN)}/s`,
      atLimit: 'the connection is closed',
    },
    {
      what: 'Idle connection (keep-alive)',
      value: time(http.KEEP_ALIVE_MS),
      atLimit: 'the connection is closed; clients open the next one',
    },
    {
      what: 'Time for the pipeline to reply',
      value: `${DEFAULTS.timeout} s by default, from ${TIMEOUT_SECONDS_MIN} s to ${time(TIMEOUT_SECONDS_MAX * 1000)}`,
      setting: 'node setting `timeout`',
      atLimit: '504 `route_timeout`; the run ends',
    },
    {
      what: 'Rate of a route',
      value: 'off by default',
      setting: 'node settings `rateLimit`, `burstLimit`',
      atLimit: '429 `rate_limited` with `Retry-After`',
    },
    {
      what: 'Questions of a key about its own access',
      value: `${SELF_SERVICE_RATE} a second, ${count(1 + SELF_SERVICE_BURST)} at once`,
      setting: '`keySelfService`',
      atLimit: '429 `rate_limited` with `Retry-After`',
    },
    {
      what: 'Refusals that a key can see',
      value: `the last ${count(KEPT_PER_KEY)} of a key, for ${count(KEYS_MAX)} keys`,
      atLimit: 'earlier ones are in the journal only',
    },
    {
      what: 'Headers that a pipeline adds to a reply',
      value: `${count(REPLY_HEADERS_MAX)}, each value at most ${count(REPLY_HEADER_VALUE_CHARS_MAX)} characters`,
      atLimit: 'the node fails with `header_invalid`, or the draft is refused',
    },
    {
      what: '`X-Request-Id` that a caller sends',
      value: `${count(http.CLIENT_REQUEST_ID_CHARS_MAX)} characters`,
      atLimit: 'the rest is not kept in the journal',
    },
  ],
};
