/**
 * Limits of the request path (docs/spec/requests.md#time-limits). Bytes and milliseconds unless the name says
 * otherwise.
 */
export const CONNECTIONS_MAX = 4000;
export const CONNECTIONS_PER_ADDRESS_MAX = 256;
/**
 * When all places are taken, one of this many connections that have waited longest for their first request is closed.
 */
export const HALF_OPEN_LOOKED_AT = 16;
/** Addresses that recently presented a valid key (known-sources.ts), and for how long they count as known. */
export const KNOWN_SOURCES_MAX = 16_384;
export const KNOWN_SOURCE_MS = 3_600_000;
/**
 * Sockets over a limit that may complete a TLS handshake to receive their refusal; further ones are closed without a
 * response.
 */
export const REFUSED_HANDSHAKES_MAX = 32;
/**
 * Sockets beyond all places that one HTTP thread accepts so that they receive a refusal; further ones are closed
 * without a response. The thread continues to accept while the core, which counts the sockets, is busy.
 */
export const REFUSED_SOCKETS_MAX = 512;
export const REQUESTS_IN_FLIGHT_MAX = 1000;
/**
 * The queue for the gateway's main thread (pressure.ts): the longest acceptable wait in it, and for how long the wait
 * may exceed that. Meanwhile nobody waits for more than REQUESTS_IN_FLIGHT_MAX others. A machine that stalls for a
 * moment refuses nobody.
 */
export const QUEUE_MS_MAX = 25;
export const QUEUE_REQUESTS_MIN = 64;
export const WINDOW_MS = 100;
/** Of a window's time. */
export const WINDOW_BUSY_MIN = 0.9;
/** During an overload, the thread stays at least this busy, except in some windows. */
export const WINDOW_STILL_BUSY_MIN = 0.7;
export const PATIENCE_MS = 2000;
export const RELIEF_MS = 1000;
/**
 * Responses to callers that are turned away (paced-refusals.ts). `atOnceMax`: how many may be sent at once after a long
 * turn of the event loop or a moment without callers. If more than `waitingMax` wait, further ones are answered at
 * once.
 */
export interface RefusalPace {
  readonly perSecondMax: number;
  readonly atOnceMax: number;
  readonly waitingMax: number;
}
/** For callers that keep their connection. */
export const SHORT_REFUSALS: RefusalPace = { perSecondMax: 1000, atOnceMax: 200, waitingMax: CONNECTIONS_MAX };
/**
 * For requests with a long body, which end the connection: the next one costs a connection and the beginning of a body.
 */
export const LONG_REFUSALS: RefusalPace = { perSecondMax: 100, atOnceMax: 10, waitingMax: 256 };
/** For connections without a request that are closed for others (connection-limiter.ts). */
export const SILENT_ENDS: RefusalPace = { perSecondMax: 200, atOnceMax: 50, waitingMax: 1000 };
export const REFUSALS_TICK_MS = 10;
/** The `Retry-After` of an `overloaded` refusal. */
export const OVERLOADED_RETRY_SECONDS = 1;
/** The same of `storage_unavailable`: space is not freed within a second. */
export const STORAGE_RETRY_SECONDS = 10;
export const BODIES_BYTES_MAX = 256 * 1024 * 1024;
/** Active runs that requests began, including those that have already replied. */
export const RUNS_MAX = 10_000;
/** Memory of decoded bodies for as long as their runs last: estimated bytes, and the largest part of the heap. */
export const PARSED_BYTES_MAX = 512 * 1024 * 1024;
export const PARSED_HEAP_SHARE = 0.25;
/** Part of the heap's limit above which requests are refused (heap-watermark.ts). */
export const HEAP_WATERMARK = 0.8;
export const HEAP_LOOK_MS = 50;
/**
 * How the memory of a JSON text is estimated: bytes for each of its characters, and additional bytes for each of these.
 * Measured with V8's parser and 200,000 values of a kind: an empty object takes 64 bytes including its place in an
 * array, [1] 64, {"a":1} 40. Objects whose one property is a unique name or an index take 184 and 208, and are
 * estimated at 85.
 */
export const OBJECT_BYTES = 56;
export const ARRAY_BYTES = 48;
export const MEMBER_BYTES = 8;
/** For each character of a text too short to be read twice; for a form, for each pair. */
export const SHORT_JSON_BYTES = 24;
export const PAIR_BYTES = 120;
/** For replies that neither the callers nor the system have accepted. */
export const REPLIES_BYTES_MAX = 256 * 1024 * 1024;

/**
 * A body longer than this is read and parsed in pieces (body-lane.ts): milliseconds per turn of the event loop for all
 * of them together, and bytes that one turn reads of all of them. A chunk counts as at least 1 KiB, because a chunk of
 * one byte costs 1 to 3 us.
 */
export const LONG_BODY_BYTES = 16 * 1024;
export const LANE_MS_PER_TURN_MAX = 2;
export const LANE_BYTES_PER_TURN_MAX = 1024 * 1024;
export const LANE_CHUNK_BYTES_MIN = 1024;
/** How much Node reads at once from a socket that has more to read. */
export const CHUNK_BYTES = 64 * 1024;

/** Between an HTTP thread and the core (threads/): bytes of bodies that the core has not taken. */
export const BODIES_UNDER_WAY_BYTES_MAX = 4 * 1024 * 1024;
/** A body up to this length is sent together with its head; a chunk up to this length is sent as text. */
export const SMALL_BODY_BYTES = 16 * 1024;
export const TEXT_CHUNK_BYTES_MAX = 16 * 1024;
/** A reply above this length counts as unsent from when the core has it. */
export const LARGE_REPLY_BYTES = 64 * 1024;

export const TARGET_BYTES_MAX = 4096;
export const HEADER_BYTES_MAX = 8 * 1024;
export const HEADER_LINES_MAX = 64;
/** Node also counts the request line. The gateway's own limits are checked one by one in framing.ts. */
export const PARSER_HEAD_BYTES_MAX = 16 * 1024;
/** Requests of a pipelining caller, parsed from one read, that wait for the previous one. One read is 64 KiB. */
export const PIPELINED_MAX = 4096;

export const HANDSHAKE_MS_MAX = 5000;
export const HEAD_MS_MAX = 5000;
/** Pieces of a body up to this length are copied, into buffers of that size. */
export const SMALL_CHUNK_BYTES = 1024;
export const SMALL_CHUNKS_BYTES = 16 * 1024;
export const BODY_MS_MAX = 15_000;
export const BODY_GRACE_MS = 5000;
export const BODY_BYTES_PER_SECOND_MIN = 1024;
export const REPLY_STALL_MS_MAX = 5000;
export const REPLY_GRACE_MS = 5000;
export const REPLY_BYTES_PER_SECOND_MIN = 1024;
/** How long a kept connection may be idle, as announced in `Keep-Alive`. */
export const KEEP_ALIVE_MS = 30_000;
/** It stays open this much longer, because a request sent at the last moment is still on its way. */
export const KEEP_ALIVE_BUFFER_MS = 1000;
export const CHECK_INTERVAL_MS = 500;
/** Slow callers that one turn of the event loop ends, each of which costs about 0.1 ms, and the pause after them. */
export const ENDS_PER_TURN_MAX = 16;
export const ENDS_PAUSE_MS = 10;
export const REFUSED_SOCKET_MS = 1000;

/** Levels of arrays and objects in a JSON body. About 4,000 are more than can be written as JSON again. */
export const JSON_DEPTH_MAX = 1000;

/** After a 413 to an authenticated caller, this much more is read and discarded, so that it can read the response. */
export const DISCARD_BYTES_MAX = 8 * 1024 * 1024;
export const DISCARD_MS_MAX = 2000;

export const CLIENT_REQUEST_ID_CHARS_MAX = 128;
export const SOURCE_BUCKETS_MAX = 65_536;
export const STOPPED_ROUTES_MAX = 10_000;
