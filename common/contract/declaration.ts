import type { z } from 'zod';
import type { ErrorCode } from '../errors/catalogue.ts';
import type { Permission } from '../model/records.ts';
import type { MethodAndAudit } from './audited.ts';

/** The largest body of a call that declares none. */
export const BODY_BYTES_MAX = 1024 * 1024;

/**
 * The callers that may use it: `public` (no session), `session` (anyone logged in), `bearer` (a token of its own, which the call checks), a
 * permission, or several that are all needed.
 */
export type Access = 'public' | 'session' | 'bearer' | Permission | readonly Permission[];

/**
 * One call of the admin API (docs/spec/admin-api.md#calls), declared once. The server's checks and handler
 * (main/admin-api), the OpenAPI document, the test of roles, the journal and the client of the UI (renderer/api) follow
 * from it.
 */
export type CallDeclaration<Query = unknown, Body = unknown, Answer = unknown> = MethodAndAudit & {
  /** Below /api/v1, with `:name` parameters. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** A few words. */
  readonly summary: string;
  /** Sentences for integrators, in Markdown: what the summary leaves open. */
  readonly description: string;
  /** Errors in addition to those that follow from the other fields. */
  readonly errors?: readonly ErrorCode[];
  /** Without a schema the call takes none. */
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  readonly bodyBytesMax?: number;
  /** True where JSON Lines are accepted as well. */
  readonly takesLines?: boolean;
  /** Fields of answers that are accepted and ignored when sent back. */
  readonly ignored?: readonly string[];
  /** True where `If-Match` with an ETag is checked. */
  readonly ifMatch?: boolean;
  /** 200, or 204 for a call that answers nothing, unless given. */
  readonly status?: number;
  /** Null = no JSON: nothing (204) or a stream of `contentType`. */
  readonly response: z.ZodType<Answer> | null;
  readonly contentType?: string | readonly string[];
};

/** The declaration as it is, with its literal types. */
export function declareCall<const D extends CallDeclaration>(declaration: D): D {
  return declaration;
}
