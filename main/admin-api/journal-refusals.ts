import type { NextFunction, Request, Response } from 'express';
import { normaliseAddress } from '#common/cidr.ts';
import { type ErrorCode, SluiceError } from '#common/errors/catalogue.ts';
import { isRecorded } from './acts.ts';
import { requestId } from './errors.ts';
import { isMutation } from './guards.ts';
import type { RefusedCall, RefusedCalls } from './refused-calls.ts';

/** Refusals of any call; 409 is recorded only for calls that would have changed something. */
const REFUSALS: readonly ErrorCode[] = [
  'no_session',
  'token_invalid',
  'csrf_token_wrong',
  'permission_missing',
  'origin_not_allowed',
  'wrong_host',
  'login_failed',
  'login_slowed',
  'setup_token_wrong',
];
const CONFLICT_STATUS = 409;

/** Records a refusal unless the call itself has recorded it, and passes the error on. */
export function journalRefusals(refused: RefusedCalls) {
  // Express recognizes an error handler by its four parameters, and passes on errors that it throws.
  return async (error: unknown, request: Request, response: Response, _next: NextFunction): Promise<void> => {
    if (error instanceof SluiceError && isRefusal(error, request))
      await refused.add(refusedCall(error, request, response));
    throw error;
  };
}

function refusedCall({ status, code }: SluiceError, request: Request, response: Response): RefusedCall {
  const user = userOf(response);
  return {
    requestId: requestId(response),
    ip: normaliseAddress(request.socket.remoteAddress ?? ''),
    method: request.method,
    path: request.path,
    ...(user !== null && { user }),
    status,
    code,
  };
}

function isRefusal(error: SluiceError, request: Request): boolean {
  if (isRecorded(error) || isSessionQuestion(error, request)) return false;
  if (error.status === CONFLICT_STATUS) return isMutation(request.method);
  return REFUSALS.includes(error.code);
}

/** Every page checks at its start whether there is a session; the response gives no access. */
function isSessionQuestion({ code }: SluiceError, { method, path }: Request): boolean {
  return code === 'no_session' && method === 'GET' && path === '/api/v1/session';
}

/** For the row of a refusal: the user of the session cookie, even without the session token. */
export function rememberUser(response: Response, name: string): void {
  response.locals['user'] = name;
}

function userOf(response: Response): string | null {
  const name: unknown = response.locals['user'];
  return typeof name === 'string' ? name : null;
}
