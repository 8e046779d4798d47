/** Tags per connection; further ones read bad. */
export const TAGS_PER_CONNECTION_MAX = 5_000;
/** Monitored items created or deleted per request: small controllers refuse longer lists. */
export const ITEMS_PER_CALL_MAX = 100;
export const ITEMS_PER_SUBSCRIPTION_MAX = 1_000;
/** Values per publish response; keeps a response far below the size that a server may send. */
export const NOTIFICATIONS_PER_PUBLISH_MAX = 500;
/** The server keeps only the latest value: a tag has one value, its history is stored elsewhere. */
export const ITEM_QUEUE_SIZE = 1;
export const PUBLISHES_IN_FLIGHT_MAX = 10;
export const ACKNOWLEDGEMENTS_MAX = 100;

/** From the DNS lookup to the activated session. */
export const CONNECT_MS_MAX = 10_000;
/** A peer that sends nothing for KEEP_ALIVE_MS + ANSWER_MS_MAX is lost. */
export const KEEP_ALIVE_MS = 2_000;
export const ANSWER_MS_MAX = 3_000;
export const REQUEST_MS_MAX = 8_000;
export const CLOSE_MS_MAX = 1_000;
export const SESSION_MS_MAX = 60_000;
/** The library ends a socket that was idle for half of this; the keep-alive comes first. */
export const TRANSPORT_MS_MAX = 20_000;

export const MESSAGE_BYTES_MAX = 4_194_304;
export const CHUNKS_PER_MESSAGE_MAX = 512;
export const TEXT_CHARS_MAX = 65_536;
export const ARRAY_ELEMENTS_MAX = 10_000;
export const DIMENSIONS_MAX = 8;

export const WRITES_IN_FLIGHT_MAX = 100;
export const TYPE_LEVELS_MAX = 10;
export const REASON_CHARS_MAX = 500;
export const ENDPOINTS_MAX = 100;
export const TRUSTED_CERTIFICATES_MAX = 50;
