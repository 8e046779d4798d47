/**
 * Limits of the request path (docs/spec/requests.md#time-limits). Bytes and milliseconds unless the name says
 * otherwise.
 */
export const CONNECTIONS_MAX = 4000;
export const CONNECTIONS_PER_ADDRESS_MAX = 256;
/** When all places are taken: of so many that wait longest for their first word, one makes room. */
export const HALF_OPEN_LOOKED_AT = 16;
/** Addresses that lately showed a valid key (known-sources.ts), and for how long they count as such. */
export const KNOWN_SOURCES_MAX = 16_384;
export const KNOWN_SOURCE_MS = 3_600_000;
/** Sockets beyond a cap that may still shake hands over TLS, to be told so; further ones are closed unanswered. */
export const REFUSED_HANDSHAKES_MAX = 32;
/**
 * Sockets beyond all places that one HTTP thread alone takes in, so that they are told; further ones are ended unanswered.
 * It goes on accepting while the core, which counts them, is busy.
 */
export const REFUSED_SOCKETS_MAX = 512;
export const REQUESTS_IN_FLIGHT_MAX = 1000;
/**
 * The queue for the gateway's own thread (pressure.ts): how long a wait in it may be, for how long it may be so. Meanwhile
 * nobody waits for more than REQUESTS_IN_FLIGHT_MAX others; a machine that stands still for a moment has nobody refused.
 */
export const QUEUE_MS_MAX = 25;
export const QUEUE_REQUESTS_MIN = 64;
export const WINDOW_MS = 100;
/** Of a window's time. */
export const WINDOW_BUSY_MIN = 0.9;
/** An overload that is shed leaves the thread so busy, but for some windows. */
export const WINDOW_STILL_BUSY_MIN = 0.7;
export const PATIENCE_MS = 2000;
export const RELIEF_MS = 1000;
/**
 * Answers to callers who are turned away (paced-refusals.ts). `atOnceMax`: what may be made up for behind a turn of the
 * event loop that took long, or a moment in which nobody came. Beyond `waitingMax` they are answered at once.
 */
export interface RefusalPace {
  readonly perSecondMax: number;
  readonly atOnceMax: number;
  readonly waitingMax: number;
}
/** Of those that keep their connection. */
export const SHORT_REFUSALS: RefusalPace = { perSecondMax: 1000, atOnceMax: 200, waitingMax: CONNECTIONS_MAX };
/** Of those with a long body, which end it: the next one costs a connection and the beginning of a body. */
export const LONG_REFUSALS: RefusalPace = { perSecondMax: 100, atOnceMax: 10, waitingMax: 256 };
export const REFUSALS_TICK_MS = 10;
/** What a caller who is told `overloaded` is asked to wait. */
export const OVERLOADED_RETRY_SECONDS = 1;
export const BODIES_BYTES_MAX = 256 * 1024 * 1024;
/** Runs under way that requests began, those included that have replied already. */
export const RUNS_MAX = 10_000;
/** What bodies become in memory, as long as their runs go on: estimated bytes, and of the heap at most this part. */
export const PARSED_BYTES_MAX = 512 * 1024 * 1024;
export const PARSED_HEAP_SHARE = 0.25;
/** Of the heap's limit: above it requests are refused (heap-watermark.ts). */
export const HEAP_WATERMARK = 0.8;
export const HEAP_LOOK_MS = 50;
/**
 * How a JSON text is weighed: bytes for each of its characters, and for each of these beside. Measured with V8's
 * parser, 200,000 values of a kind: an empty object takes 64 bytes with its place in an array, [1] 64, {"a":1} 40.
 * Objects whose one property is a name or an index of their own take 184 and 208, and are weighed at 85.
 */
export const OBJECT_BYTES = 56;
export const ARRAY_BYTES = 48;
export const MEMBER_BYTES = 8;
/** For each character of a text too short to be read twice; of a form, each pair. */
export const SHORT_JSON_BYTES = 24;
export const PAIR_BYTES = 120;
/** Of replies that their callers have not taken, as far as the system has not taken them either. */
export const REPLIES_BYTES_MAX = 256 * 1024 * 1024;

/**
 * A body longer than this is read and parsed in pieces (body-lane.ts): milliseconds of a turn of the event loop for the
 * pieces of all of them, and chunks (64 KiB each) that one turn reads of all of them.
 */
export const LONG_BODY_BYTES = 16 * 1024;
export const LANE_MS_PER_TURN_MAX = 2;
export const LANE_READS_PER_TURN_MAX = 16;

/** Between an HTTP thread and the core (threads/): of bodies that the core has not taken. */
export const BODIES_UNDER_WAY_BYTES_MAX = 4 * 1024 * 1024;
/** A body up to this length is sent along with its head; a chunk up to this length goes as text. */
export const SMALL_BODY_BYTES = 16 * 1024;
export const TEXT_CHUNK_BYTES_MAX = 16 * 1024;
/** A reply above this length counts as unsent from when the core has it. */
export const LARGE_REPLY_BYTES = 64 * 1024;

export const TARGET_BYTES_MAX = 4096;
export const HEADER_BYTES_MAX = 8 * 1024;
export const HEADER_LINES_MAX = 64;
/** Node counts the request line too; ours are counted one by one in framing.ts. */
export const PARSER_HEAD_BYTES_MAX = 16 * 1024;
/** Requests parsed from one read of a pipelining caller that wait for the one before. One read is 64 KiB. */
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
/** How long a kept connection may be idle, as its replies say in `Keep-Alive`. */
export const KEEP_ALIVE_MS = 30_000;
/** So much longer it stays: a request that a caller sends in the last moment is on its way. */
export const KEEP_ALIVE_BUFFER_MS = 1000;
export const CHECK_INTERVAL_MS = 500;
/** Slow callers that one turn of the event loop ends; each costs some 0.1 ms. */
export const ENDS_PER_TURN_MAX = 16;
export const REFUSED_SOCKET_MS = 1000;

/** Levels of arrays and objects in a JSON body: some 4,000 are more than can be written as JSON again. */
export const JSON_DEPTH_MAX = 1000;

/** After a 413 to an authenticated caller, this much more is read and thrown away, so that it sees the answer. */
export const DISCARD_BYTES_MAX = 8 * 1024 * 1024;
export const DISCARD_MS_MAX = 2000;

export const CLIENT_REQUEST_ID_CHARS_MAX = 128;
export const SOURCE_BUCKETS_MAX = 65_536;
export const STOPPED_ROUTES_MAX = 10_000;
