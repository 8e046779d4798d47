import { PERMISSIONS, type Permission } from '#common/model/records.ts';

/**
 * The journal's text about a change of a user or a role, written and read: a restored older vault is corrected from
 * such rows (host/replay.ts). Names are chosen by users, so the text is ambiguous if one contains a separator; the
 * reader must check that none does. It never contains a password or its hash.
 */
const PASSWORD = 'password';
const ROLES = 'roles: ';
const NONE = 'none';
const PERMISSIONS_LAST = /(?:^|; )permissions: ([a-z_, ]+)$/;

export function userDetail(
  name: string | undefined,
  { roles, password }: { roles?: readonly string[] | undefined; password?: string | undefined },
): string {
  const what = [name, roles && `${ROLES}${roles.join(', ') || NONE}`, password !== undefined && PASSWORD];
  return what.filter(Boolean).join('; ');
}

/** `roles` null: unchanged. Null: not a text about a change of that user. */
export function readUserDetail(detail: string, name: string): { roles: string[] | null; password: boolean } | null {
  if (!`${detail}; `.startsWith(`${name}; `)) return null;
  const parts = detail.slice(name.length);
  const password = parts.endsWith(`; ${PASSWORD}`);
  const rest = password ? parts.slice(0, -`; ${PASSWORD}`.length) : parts;
  if (rest === '') return { roles: null, password };
  if (!rest.startsWith(`; ${ROLES}`)) return null;
  const list = rest.slice(`; ${ROLES}`.length);
  return { roles: list === NONE ? [] : list.split(', '), password };
}

/** True for a name that is ambiguous in a list of names. */
export function isAmbiguousName(name: string): boolean {
  return /[,;]/.test(name);
}

export function roleDetail({
  name,
  permissions,
}: {
  name?: string | undefined;
  permissions?: readonly Permission[] | undefined;
}): string {
  const what = [
    name !== undefined && `name: ${name}`,
    permissions !== undefined && `permissions: ${permissions.join(', ') || NONE}`,
  ];
  return what.filter(Boolean).join('; ');
}

/** `permissions` null: unchanged. */
export function readRoleDetail(detail: string): { renamed: boolean; permissions: Permission[] | null } {
  const names = PERMISSIONS_LAST.exec(detail)?.[1]?.split(', ');
  return {
    renamed: detail.startsWith('name: '),
    permissions: names ? PERMISSIONS.filter((permission) => names.includes(permission)) : null,
  };
}
