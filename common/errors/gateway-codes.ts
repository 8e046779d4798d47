/**
 * Codes of the gateway's own replies, in the order of the request path (docs/spec/requests.md#steps). `status` is the
 * HTTP status, `title` the `title` of RFC 9457, `detail` the sentence for the caller. A `detail` names no range,
 * origin, key, project or pipeline (docs/spec/requests.md#errors). For a code without `detail`, the sentence depends on
 * the request.
 */
export const GATEWAY_CODES = {
  bad_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    detail: 'The gateway accepts only strictly valid HTTP/1.0 and HTTP/1.1.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    detail: 'The rest of the request did not arrive in time.',
  },
  headers_too_large: {
    status: 431,
    title: 'The request headers are too large',
    detail: 'At most 64 header lines and 8 KiB of headers are accepted.',
  },
  overloaded: {
    status: 503,
    title: 'The gateway is at its limit',
    detail: 'The gateway cannot accept more requests now. Try again later.',
  },
  not_found: {
    status: 404,
    title: 'No running route answers this method and path',
    detail: 'No running route answers this method and path.',
  },
  ip_not_allowed: {
    status: 403,
    title: 'The source address is not allowed on this route',
    detail: 'This route does not accept calls from your address.',
  },
  origin_not_allowed: {
    status: 403,
    title: 'The origin is not allowed on this route',
    detail: 'This route does not accept calls from pages of this origin.',
  },
  key_missing: { status: 401, title: 'An API key is required', detail: 'Send the API key in the X-API-Key header.' },
  key_invalid: { status: 401, title: 'The API key is not valid', detail: 'The API key in X-API-Key is not valid.' },
  address_not_allowed: {
    status: 403,
    title: 'The API key may not be used from this address',
    detail: 'This API key may not be used from your address.',
  },
  key_inactive: { status: 403, title: 'The API key may not be used now' },
  key_wrong_project: {
    status: 403,
    title: 'The API key belongs to another project',
    detail: 'The API key and this route belong to different projects.',
  },
  scope_missing: { status: 403, title: 'The API key lacks a scope' },
  limit_missing: { status: 403, title: 'The limits do not include this' },
  interlock: {
    status: 409,
    title: 'A limit of the tag refuses the write',
  },
  write_stopped: {
    status: 409,
    title: 'Writes are stopped',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    detail: 'This route received more requests than it accepts. Try again after the time in Retry-After.',
  },
  payload_too_large: {
    status: 413,
    title: 'The request body is too large',
    detail: 'The body is larger than this route accepts.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The format of the body is not accepted',
    detail: 'Send the body as UTF-8 without content coding.',
  },
  body_invalid: {
    status: 400,
    title: 'The request body cannot be read',
    detail: 'The body does not match its Content-Type.',
  },
  audit_unavailable: {
    status: 503,
    title: 'The audit journal cannot be written',
    detail: 'The audit journal cannot be written; nothing was run.',
  },
  storage_unavailable: {
    status: 503,
    title: 'The pipeline cannot store its data',
    detail: 'The pipeline cannot store its data now. Earlier steps may have taken effect.',
  },
  route_timeout: {
    status: 504,
    title: 'The pipeline did not reply in time',
    detail: 'The pipeline did not reply in time.',
  },
  value_stale: { status: 503, title: 'A value of the plant is too old' },
  value_invalid: {
    status: 400,
    title: 'The request has a value that the pipeline cannot use',
    detail: 'The pipeline cannot use a value of the request.',
  },
  pipeline_failed: {
    status: 500,
    title: 'The pipeline failed',
    detail: 'The pipeline failed. Its operator can look up the cause by the request ID.',
  },
} as const satisfies Record<string, { status: number; title: string; detail?: string }>;

export type GatewayCode = keyof typeof GATEWAY_CODES;

/** Code of a route whose pipeline is stopped or could not be started (docs/spec/requests.md#not-found). */
export const STOPPED_CODE = 'not_found' satisfies GatewayCode;
export const STOPPED_STATUS = GATEWAY_CODES[STOPPED_CODE].status;

/** Names of the statuses in the OpenAPI document of published routes, in its order. */
export const STATUS_NAMES = {
  400: 'BadRequest',
  401: 'Unauthorised',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'RequestTimeout',
  409: 'Conflict',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooMany',
  431: 'HeadersTooLarge',
  500: 'Failed',
  503: 'Unavailable',
  504: 'TimedOut',
} as const satisfies Record<(typeof GATEWAY_CODES)[GatewayCode]['status'], string>;
