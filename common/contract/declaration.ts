import type { z } from 'zod';
import type { ErrorCode } from '../errors/catalogue.ts';
import type { Permission } from '../model/records.ts';
import type { MethodAndAudit } from './audited.ts';

/** The largest body of a call that declares no limit. */
export const BODY_BYTES_MAX = 1024 * 1024;

/**
 * Required access: `public` (no session), `session` (any logged-in user), `bearer` (a token that the call itself
 * checks), a permission, or a list of permissions that are all required.
 */
export type Access = 'public' | 'session' | 'bearer' | Permission | readonly Permission[];

/**
 * One call of the admin API (docs/spec/admin-api.md#calls), declared once. The checks and handlers of the server
 * (main/admin-api), the OpenAPI document, the role tests, the journal and the client of the UI (renderer/api) are
 * derived from it.
 */
export type CallDeclaration<Query = unknown, Body = unknown, Answer = unknown> = MethodAndAudit & {
  /** Relative to /api/v1, with `:name` parameters. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** True: no service token may make the call, whatever its permissions. */
  readonly usersOnly?: boolean;
  /** A few words, as a title. */
  readonly summary: string;
  /** Details for integrators in Markdown, in addition to the summary. */
  readonly description: string;
  /** Errors in addition to those that follow from the other fields. */
  readonly errors?: readonly ErrorCode[];
  /** A call without a schema accepts no input. */
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  readonly bodyBytesMax?: number;
  /** True: JSON Lines are accepted as well. */
  readonly takesLines?: boolean;
  /** Fields of responses that are accepted and ignored when a client sends them back. */
  readonly ignored?: readonly string[];
  /** True: `If-Match` with an ETag is checked. */
  readonly ifMatch?: boolean;
  /** Default: 200, or 204 for a call without a response body. */
  readonly status?: number;
  /** Null: no JSON. The response is empty (204) or a stream of `contentType`. */
  readonly response: z.ZodType<Answer> | null;
  readonly contentType?: string | readonly string[];
};

/** The declaration unchanged, with its literal types. */
export function declareCall<const D extends CallDeclaration>(declaration: D): D {
  return declaration;
}
