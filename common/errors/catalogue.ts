/**
 * Every error code that Sluice answers with, declared once; a code is never reused for another meaning.
 * `status` is the HTTP status, `title` the plain words of RFC 9457's `title`.
 */
export const CATALOGUE = {
  // Gateway, in the order of the request path (docs/spec/requests.md#steps)
  bad_request: { status: 400, title: 'The request is not valid HTTP' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  overloaded: { status: 503, title: 'The gateway is at its limit' },
  not_found: { status: 404, title: 'No running route answers this method and path' },
  ip_not_allowed: { status: 403, title: 'The source address is not allowed on this route' },
  origin_not_allowed: { status: 403, title: 'The origin is not allowed on this route' },
  key_missing: { status: 401, title: 'An API key is required' },
  key_invalid: { status: 401, title: 'The API key is not valid' },
  key_wrong_project: { status: 403, title: 'The API key belongs to another project' },
  scope_missing: { status: 403, title: 'The API key lacks a scope' },
  rate_limited: { status: 429, title: 'Too many requests' },
  payload_too_large: { status: 413, title: 'The request body is too large' },
  unsupported_media_type: { status: 415, title: 'The body is in a form that is not accepted' },
  body_invalid: { status: 400, title: 'The request body cannot be read' },
  audit_unavailable: { status: 503, title: 'The audit journal cannot be written' },
  route_timeout: { status: 504, title: 'The pipeline did not reply in time' },
  value_invalid: { status: 400, title: 'The request has a value that the pipeline cannot use' },
  pipeline_failed: { status: 500, title: 'The pipeline failed' },
  // Admin API (docs/spec/admin-api.md#errors)
  invalid: { status: 400, title: 'The request has fields that are not valid' },
  no_session: { status: 401, title: 'Log in first' },
  setup_needed: { status: 401, title: 'Sluice is not set up yet' },
  login_failed: { status: 401, title: 'Name or password is wrong' },
  setup_token_wrong: { status: 403, title: 'The set-up token is wrong' },
  csrf_token_wrong: { status: 403, title: 'The X-CSRF-Token header is missing or wrong' },
  permission_missing: { status: 403, title: 'Your roles do not allow this' },
  unknown: { status: 404, title: 'There is nothing here by that name' },
  conflict: { status: 409, title: 'This cannot be done in the present state' },
  route_clash: { status: 409, title: 'Another running pipeline has this route' },
  pipeline_running: { status: 409, title: 'The pipeline is running' },
  revision_changed: { status: 412, title: 'Somebody saved a newer revision' },
  wrong_host: { status: 421, title: 'This address does not serve that host' },
  login_slowed: { status: 429, title: 'Too many failed log-ins' },
  disk_reserve: { status: 507, title: 'The disk has too little free space' },
  not_saved: { status: 507, title: 'The change is in force but not saved yet' },
  internal: { status: 500, title: 'Something went wrong inside Sluice' },
  gateway_down: { status: 503, title: 'The gateway is not answering' },
  vault_unconfirmed: { status: 503, title: 'The vault is older than expected and must be confirmed' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof CATALOGUE;

/** One wrong field: `path` is dotted (`nodes.0.settings.timeout`), `message` says what was expected. */
export interface FieldError {
  path: string;
  message: string;
}

/** RFC 9457 problem details, flat. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: ErrorCode;
  detail: string;
  requestId: string;
  errors?: FieldError[];
}

export function problem(code: ErrorCode, detail: string, requestId: string, errors?: FieldError[]): Problem {
  const { status, title } = CATALOGUE[code];
  return { type: `urn:sluice:problem:${code}`, title, status, code, detail, requestId, ...(errors && { errors }) };
}

/** An error with a code from the catalogue. Its message is meant for the caller; `cause` stays in the log. */
export class SluiceError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  /** Whole seconds until it is worth trying again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    options: { errors?: FieldError[]; cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(detail, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'SluiceError';
    this.code = code;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return CATALOGUE[this.code].status;
  }
}
