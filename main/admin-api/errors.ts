import type { NextFunction, Request, Response } from 'express';
import { type ErrorCode, problem, SluiceError } from '#common/errors/catalogue.ts';
import type { RuleSentence } from '#common/errors/rules.ts';
import type { Logger } from '#common/node/log.ts';

/** The request ID assigned by `identify`, also in `X-Request-Id`. */
export function requestId(response: Response): string {
  const id: unknown = response.locals['requestId'];
  return typeof id === 'string' ? id : '';
}

/**
 * Returns every error as problem details (RFC 9457). Errors other than SluiceError are logged and returned as
 * `internal`.
 */
export function errorAnswer(log: Logger) {
  // Express recognizes an error handler by its four parameters.
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const known = asSluiceError(error);
    if (known === null || known.code === 'internal') {
      log.error('a call of the admin API failed', {
        requestId: requestId(response),
        method: request.method,
        path: request.path,
        error,
      });
    } else if (known.cause !== undefined) {
      log.warn('a call of the admin API was refused', {
        requestId: requestId(response),
        code: known.code,
        error: known.cause,
      });
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (known?.retryAfterSeconds !== undefined) response.set('Retry-After', String(known.retryAfterSeconds));
    answerProblem(
      response,
      known?.code ?? 'internal',
      known?.sentence ?? known?.message ?? 'The log has the details under this request ID.',
      errorsOf(known),
    );
  };
}

export function answerProblem(
  response: Response,
  code: ErrorCode,
  detail: string | RuleSentence,
  errors?: SluiceError['errors'],
): void {
  const body = problem(code, detail, requestId(response), errors);
  // A call that checks its own token has already set this.
  const asksForSession = code === 'no_session' && !response.hasHeader('WWW-Authenticate');
  if (asksForSession) response.set('WWW-Authenticate', 'Session');
  if (code === 'token_invalid') response.set('WWW-Authenticate', 'Bearer');
  response.status(body.status).type('application/problem+json').send(JSON.stringify(body));
}

/** Each 400 says what was expected; an error without a single field belongs to the whole request. */
function errorsOf(error: SluiceError | null): SluiceError['errors'] {
  if (error?.code !== 'invalid') return error?.errors;
  return error.errors ?? [{ path: '', message: error.message, ...error.sentence }];
}

function asSluiceError(error: unknown): SluiceError | null {
  if (error instanceof SluiceError) return error;
  // A path that cannot be percent-decoded: Express throws it before any call is found.
  if (error instanceof URIError)
    return new SluiceError('invalid', 'The path has an invalid percent-escape; expected UTF-8.');
  return null;
}
