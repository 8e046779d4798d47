import type { ErrorCode, FieldError, Problem } from '#common/errors/catalogue.ts';
import type { ServerSentence } from './rule-text.ts';

/** The error of a call: the problem details from Sluice, or that there was no response. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'unreachable';
  readonly errors: FieldError[];
  readonly requestId: string | null;
  /** The message with its rule, if Sluice named one. */
  readonly sentence: ServerSentence;

  constructor(
    status: number,
    code: ErrorCode | 'unreachable',
    detail: string | ServerSentence,
    errors: FieldError[] = [],
    requestId: string | null = null,
  ) {
    const sentence = typeof detail === 'string' ? { message: detail } : detail;
    super(sentence.message);
    this.sentence = sentence;
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.requestId = requestId;
  }
}

export function isApiError(error: unknown, code?: ErrorCode | 'unreachable'): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

/** Reads `application/problem+json`; any other error is reported only with its status. */
export async function readProblem(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  if (!isProblem(body))
    return new ApiError(response.status, 'internal', `The answer was ${response.status} without an explanation.`);
  const { detail: message, rule, params } = body;
  const sentence = { message, ...(rule && { rule }), ...(params && { params }) };
  return new ApiError(body.status, body.code, sentence, body.errors ?? [], body.requestId);
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && 'status' in body;
}
