import { NodeError } from '#sdk';
import { MESSAGE_CHARS_MAX } from './limits.ts';

const UNKNOWN_OUTCOME = 'whether the server has done it is not known';

/** A server's message, clipped, on one line and without secrets. */
export function cleanMessage(message: string, secret: string | null = null): string {
  const masked = secret === null || secret.length < 4 ? message : message.replaceAll(secret, '[removed]');
  return masked.replaceAll(/\s+/g, ' ').slice(0, MESSAGE_CHARS_MAX);
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error && error.message !== '' ? error.message : 'the connection failed';
}

/** A field of an error thrown by a driver, if it is a text or a number. */
export function fieldOf(error: unknown, name: string): string | number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

export function unreachable(where: string, cause: unknown, secret: string | null = null): NodeError {
  if (cause instanceof NodeError) return cause;
  const message = `${where} cannot be reached: ${cleanMessage(messageOf(cause), secret)}`;
  return new NodeError('db_unreachable', message, { cause });
}

/** A session that ended during a statement: because of the server, or because its address is no longer allowed. */
export function lostConnection(cause: unknown): NodeError {
  if (cause instanceof NodeError && cause.code === 'target_refused')
    return new NodeError(cause.code, `${cause.message}; the statement was under way, ${UNKNOWN_OUTCOME}`, { cause });
  if (cause instanceof NodeError) return cause;
  return new NodeError('db_unreachable', `the connection was lost while the statement ran; ${UNKNOWN_OUTCOME}`, {
    cause,
  });
}

export function sqlError(constraint: boolean, message: string, cause: unknown, secret: string | null): NodeError {
  return new NodeError(constraint ? 'db_constraint' : 'db_error', cleanMessage(message, secret), { cause });
}
