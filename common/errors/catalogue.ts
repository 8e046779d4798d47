import { ADMIN_CODES } from './admin-codes.ts';
import { GATEWAY_CODES } from './gateway-codes.ts';

/** Every error code that Sluice answers with; a code is never reused for another meaning. */
export const CATALOGUE = { ...GATEWAY_CODES, ...ADMIN_CODES };

export type ErrorCode = keyof typeof CATALOGUE;

export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(CATALOGUE, code);

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
