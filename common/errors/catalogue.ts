import { ADMIN_CODES } from './admin-codes.ts';
import { GATEWAY_CODES } from './gateway-codes.ts';
import type { ParamValue, RuleSentence } from './rules.ts';

/** Every error code that Sluice returns. A code is never reused with another meaning. */
export const CATALOGUE = { ...GATEWAY_CODES, ...ADMIN_CODES };

export type ErrorCode = keyof typeof CATALOGUE;

export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(CATALOGUE, code);

/** The rule of a sentence and its values, for programs. A sentence without a declared rule has neither. */
export interface RuleOf {
  /** A key of RULES, or a rule of a later release. */
  rule?: string;
  params?: Readonly<Record<string, ParamValue>>;
}

/** One invalid field: `path` is dotted (`nodes.0.settings.timeout`), `message` says what was expected. */
export interface FieldError extends RuleOf {
  path: string;
  message: string;
}

/** A thing outside of a limit of the API key, and the first entries of the limit; `more` further ones are left out. */
interface ProblemLimit {
  scope: string;
  thing: string;
  entries: string[];
  more: number;
}

/** A limit of the writes of a tag, and what was found instead. `age`: seconds; null: the found value has no time. */
interface ProblemInterlock {
  tag: string;
  limit: string;
  expected: string;
  found: string;
  age: number | null;
}

/** A stop of writes. `of`: `project`, `device` or `tag`; `until`: RFC 3339, or null without an end. */
interface ProblemStop {
  of: string;
  name: string;
  reason: string;
  until: string | null;
}

/** RFC 9457 problem details, flat. `rule` and `params` are those of `detail`. */
export interface Problem extends RuleOf {
  type: string;
  title: string;
  status: number;
  code: ErrorCode;
  detail: string;
  requestId: string;
  errors?: FieldError[];
  /** With `limit_missing`. */
  limit?: ProblemLimit;
  /** With `interlock`. */
  interlock?: ProblemInterlock;
  /** With `write_stopped`. */
  stop?: ProblemStop;
}

/** The members of a problem that only some codes have. */
export type ProblemMembers = Pick<Problem, 'limit' | 'interlock' | 'stop'>;

/** `detail` is a sentence, or a declared sentence with its rule. */
export function problem(
  code: ErrorCode,
  detail: string | RuleSentence,
  requestId: string,
  errors?: FieldError[],
): Problem {
  const { status, title } = CATALOGUE[code];
  const { message, ...rule } = typeof detail === 'string' ? { message: detail } : detail;
  return {
    type: `urn:sluice:problem:${code}`,
    title,
    status,
    code,
    detail: message,
    ...rule,
    requestId,
    ...(errors && { errors }),
  };
}

/** An error with a code from the catalogue. Its message is meant for the caller; `cause` stays in the log. */
export class SluiceError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  /** Whole seconds until a retry makes sense. */
  readonly retryAfterSeconds: number | undefined;
  /** The message with its rule, if it is a declared sentence. */
  readonly sentence: RuleSentence | undefined;

  constructor(
    code: ErrorCode,
    detail: string | RuleSentence,
    options: { errors?: FieldError[]; cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(
      typeof detail === 'string' ? detail : detail.message,
      'cause' in options ? { cause: options.cause } : undefined,
    );
    this.name = 'SluiceError';
    this.code = code;
    this.sentence = typeof detail === 'string' ? undefined : detail;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return CATALOGUE[this.code].status;
  }
}
