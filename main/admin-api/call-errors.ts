import { CATALOGUE, type ErrorCode } from '#common/errors/catalogue.ts';
import { problemResponse, RETRY_AFTER_HEADER } from '#common/model/openapi-problem.ts';
import type { Call } from './call.ts';
import { isMutation, neededPermissions } from './guards.ts';

type Json = Record<string, unknown>;

/** Error responses of the calls as components: calls with the same errors of a status share one. */
export class ErrorResponses {
  readonly #responses: Json = {};

  /** References to components, by status. */
  of(call: Call): Json {
    const byStatus = Map.groupBy(errorsOf(call), (code) => CATALOGUE[code].status);
    return Object.fromEntries([...byStatus].map(([status, codes]) => [status, this.#reference(codes)]));
  }

  all(): Json {
    return { ...this.#responses };
  }

  #reference(codes: readonly ErrorCode[]): Json {
    const name = codes.map(pascal).join('Or');
    const headers =
      codes.includes('login_slowed') || codes.includes('overloaded') ? { 'Retry-After': RETRY_AFTER_HEADER } : {};
    this.#responses[name] ??= problemResponse(codes, headers);
    return { $ref: `#/components/responses/${name}` };
  }
}

/** Every code that the checks before a call and the call itself can return, without duplicates. */
function errorsOf(call: Call): readonly ErrorCode[] {
  const codes: ErrorCode[] = ['invalid', ...accessErrors(call), ...bodyErrors(call), ...call.errors];
  if (call.path.includes(':')) codes.push('unknown');
  if (call.ifMatch) codes.push('revision_changed');
  codes.push('wrong_host', 'internal');
  return Object.keys(CATALOGUE).filter((code): code is ErrorCode => codes.some((one) => one === code));
}

function accessErrors({ access, method, usersOnly }: Call): ErrorCode[] {
  if (access === 'public' || access === 'bearer') return ['origin_not_allowed'];
  const permission: ErrorCode[] = neededPermissions(access).length > 0 ? ['permission_missing'] : [];
  const mutation: ErrorCode[] = isMutation(method.toUpperCase())
    ? ['conflict', 'gateway_down', 'audit_unavailable', 'overloaded']
    : [];
  const token: ErrorCode[] = usersOnly ? [] : ['token_invalid', 'login_slowed', 'permission_missing'];
  return ['origin_not_allowed', 'no_session', 'setup_needed', 'csrf_token_wrong', ...token, ...permission, ...mutation];
}

function bodyErrors({ access, body }: Call): ErrorCode[] {
  if (body === null) return [];
  const overloaded: ErrorCode[] = access === 'public' ? [] : ['overloaded'];
  return ['payload_too_large', 'unsupported_media_type', ...overloaded];
}

function pascal(code: ErrorCode): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
