import type { Request, Response } from 'express';
import type { z } from 'zod';
import { clip } from '#common/clip.ts';
import { actsOf } from '#common/contract/audited.ts';
import { type Access, BODY_BYTES_MAX, type CallDeclaration } from '#common/contract/declaration.ts';
import { type ErrorCode, type FieldError, SluiceError } from '#common/errors/catalogue.ts';
import { unknownFields } from '#common/errors/rule-of-issue.ts';
import { fieldErrors } from '#common/model/fields.ts';
import type { AuditRow } from '#common/model/audit.ts';
import type { Session } from '../contracts.ts';
import type { BodyBudget } from './body-budget.ts';
import type { AdminDeps } from './deps.ts';
import type { EventHub } from './events.ts';
import type { LatestRestrictions } from './latest-restrictions.ts';
import type { Locks } from './locks.ts';
import type { OpenWindows } from './presence.ts';

/**
 * One call of the admin API, declared once: its checks, its entry in the OpenAPI document and the test of all calls are
 * derived from it.
 */
export interface Call {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Relative to /api/v1, with `:name` parameters. */
  readonly path: string;
  /**
   * Required access: `public` (no session), `session` (any logged-in user), `bearer` (a token that the call itself
   * checks), a permission, or a list of permissions that are all required.
   */
  readonly access: Access;
  /** True: no service token may make the call. */
  readonly usersOnly: boolean;
  /** The audited actions that it may record; a handler that records another one fails before it does anything. */
  readonly acts: readonly string[];
  /** A few words, as a title. */
  readonly summary: string;
  /** Details for integrators in Markdown, in addition to the summary. */
  readonly description: string;
  /** Errors in addition to those that follow from the other fields (call-errors.ts). */
  readonly errors: readonly ErrorCode[];
  readonly query: z.ZodType | null;
  readonly body: z.ZodType | null;
  readonly bodyBytesMax: number;
  /** True: JSON Lines are accepted as well (json-lines.ts); `prepare` converts them for the schema. */
  readonly takesLines: boolean;
  /** Fields of responses that are accepted and ignored when a client sends them back. */
  readonly ignored: readonly string[];
  /** True: `If-Match` with an ETag is checked. */
  readonly ifMatch: boolean;
  readonly status: number;
  /** Null: no JSON. The response is empty (204) or a stream of `contentType`. */
  readonly response: z.ZodType | null;
  readonly contentType: string | readonly string[] | null;
  answer(services: Services, input: RawInput): Promise<unknown>;
}

/** The handler has written the response itself. */
export const WRITTEN = Symbol('written');

/** Services that all calls share, in addition to the components of the host. */
export interface Services extends AdminDeps {
  readonly hub: EventHub;
  readonly locks: Locks;
  readonly restrictions: LatestRestrictions;
  readonly bodies: BodyBudget;
  readonly openWindows: OpenWindows;
}

export interface RawInput {
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  /** Normalized source address. */
  readonly ip: string;
  /** The session cookie or the service token (credential.ts). */
  readonly credential: string | null;
  readonly session: Session | null;
  readonly body: unknown;
}

export interface Context<Query, Body> {
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  readonly ip: string;
  readonly credential: string | null;
  /** Throws `no_session` on a public call. */
  readonly session: Session;
  readonly query: Query;
  readonly body: Body;
  /** A path parameter. */
  param(name: string): string;
  /** The fields of every journal row of this request, including `act` if the call declares exactly one. */
  readonly who: Omit<AuditRow, 'time' | 'type'>;
  /** As declared by the call. */
  readonly acts: readonly string[];
}

/** The part of a context that an action needs which comes from no request of the admin API. */
export type Acting<Query = unknown, Body = unknown> = Omit<Context<Query, Body>, 'request' | 'response'>;

/** How the host performs a declared call. */
export interface CallBehaviour<Query, Body, Answer> {
  /** Converts the body into the form that the schema checks. */
  prepare?: (body: unknown) => unknown;
  handle(services: Services, context: Context<Query, Body>): Answer | typeof WRITTEN | Promise<Answer | typeof WRITTEN>;
}

/** For public calls. */
export const PUBLIC_BODY_BYTES_MAX = 16 * 1024;

export function defineCall<Answer, Query = undefined, Body = undefined>(
  declaration: CallDeclaration<Query, Body, Answer>,
  { prepare, handle }: CallBehaviour<Query, Body, Answer>,
): Call {
  const { method, path, access, summary, description, query, body, response, ignored = [] } = declaration;
  const acts = actsOf(declaration);
  return {
    method,
    path,
    access,
    usersOnly: access === 'session' || declaration.usersOnly === true,
    acts,
    summary,
    description,
    errors: declaration.errors ?? [],
    query: query ?? null,
    body: body ?? null,
    bodyBytesMax: declaration.bodyBytesMax ?? (access === 'public' ? PUBLIC_BODY_BYTES_MAX : BODY_BYTES_MAX),
    takesLines: declaration.takesLines ?? false,
    ignored,
    ifMatch: declaration.ifMatch ?? false,
    status: declaration.status ?? (response === null && declaration.contentType === undefined ? 204 : 200),
    response,
    contentType: declaration.contentType ?? null,
    async answer(services, raw) {
      const kept = without(raw.body, ignored);
      const prepared = prepare ? prepare(kept) : kept;
      const input = { query: readInput(query, raw.request.query), body: readInput(body, prepared ?? {}) };
      return handle(services, context(raw, acts, input));
    },
  };
}

function without(body: unknown, ignored: readonly string[]): unknown {
  if (ignored.length === 0 || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([field]) => !ignored.includes(field)));
}

function context<Query, Body>(
  raw: RawInput,
  acts: readonly string[],
  input: { query: Query; body: Body },
): Context<Query, Body> {
  const { request, response, requestId, ip, credential, session } = raw;
  return {
    request,
    response,
    requestId,
    ip,
    credential,
    ...input,
    acts,
    get session() {
      if (session === null) throw new SluiceError('no_session', 'Log in first.');
      return session;
    },
    param(name) {
      const value = request.params[name];
      return typeof value === 'string' ? value : '';
    },
    who: {
      requestId,
      ip,
      method: request.method,
      path: (request.baseUrl + request.path).slice(0, 1024),
      ...(session && { user: session.user.name }),
      ...(acts.length === 1 && { act: acts[0] }),
    },
  };
}

/** A call without a schema accepts no body fields: an unknown field is refused there too. */
function readInput<T>(schema: z.ZodType<T> | undefined, value: unknown): T {
  if (schema) return checked(schema, value);
  const fields =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : ['the body'];
  if (fields.length > 0) throw invalid([{ path: '', ...unknownFields(fields) }]);
  return undefined as T;
}

export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(fieldErrors(result.error));
}

const DETAIL_CHARS_MAX = 400;

export function invalid(errors: FieldError[]): SluiceError {
  const text = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  return new SluiceError('invalid', clip(text, DETAIL_CHARS_MAX), { errors: errors.slice(0, 100) });
}

export function unknown(what: string): SluiceError {
  return new SluiceError('unknown', `There is no such ${what}.`);
}
