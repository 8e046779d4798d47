import type { Request } from 'express';
import { tokenCredential } from '../people/service-tokens.ts';

const BEARER = /^Bearer +([\x21-\x7e]{1,512})$/i;

/**
 * The credential of a call with `Authorization: Bearer`; null: it has no such header. A value of another form is one
 * that no token has.
 */
export function readToken({ headers: { authorization = '' } }: Request): string | null {
  if (!/^bearer\b/i.test(authorization)) return null;
  return tokenCredential(BEARER.exec(authorization)?.[1] ?? '');
}
