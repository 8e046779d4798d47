import { z } from 'zod';
import { SluiceError } from '../errors/catalogue.ts';
import { fieldErrors } from './fields.ts';
import { displayName, newName } from './ids.ts';
import { PERMISSIONS } from './records.ts';
import { expected } from '../errors/rules.ts';
import { textUpTo } from './bounds.ts';

/**
 * Formats of user input (docs/spec/users.md#users): used by the schemas of the admin API and, for the command line, by
 * People itself.
 */
export const PASSWORD_CHARS_MIN = 10;
export const PASSWORD_CHARS_MAX = 1024;
export const ROLES_PER_USER_MAX = 32;

export const personName = newName;
/** Begins the names of service tokens in the journal. */
export const TOKEN_ACTOR = 'token:';
export const userName = newName.refine((name) => !nameKey(name).startsWith(TOKEN_ACTOR), expected('name_of_token'));
export const newPassword = z
  .string({ error: expected('text') })
  .min(PASSWORD_CHARS_MIN, expected('length_min', { min: PASSWORD_CHARS_MIN }))
  .max(PASSWORD_CHARS_MAX, expected('length_max', { max: PASSWORD_CHARS_MAX }));
/** A password that is compared, not chosen: any length up to the limit. */
export const givenPassword = textUpTo(PASSWORD_CHARS_MAX);
export const givenName = textUpTo(200);
export const roleNames = z
  .array(displayName, { error: expected('list_of', { of: 'role names' }) })
  .max(ROLES_PER_USER_MAX, expected('count_max', { max: ROLES_PER_USER_MAX, of: 'roles' }));
export const permissionNames = z
  .array(z.enum(PERMISSIONS, { error: expected('one_of', { values: PERMISSIONS }) }), {
    error: expected('list_of', { of: 'permissions' }),
  })
  .max(PERMISSIONS.length * 2, 'expected each permission once')
  .transform((names) => PERMISSIONS.filter((permission) => names.includes(permission)));

/** Names that differ only in case or in Unicode composition are the same name. */
export function nameKey(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase();
}

/** Reads a value with its schema; throws `invalid` with the path of the field. */
export function read<T>(schema: z.ZodType<T>, value: unknown, path: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = fieldErrors(result.error, path);
  throw new SluiceError('invalid', errors.map((error) => `${error.path}: ${error.message}`).join('; '), { errors });
}
