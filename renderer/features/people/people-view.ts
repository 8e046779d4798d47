import type { Permission, RoleRecord, UserRecord } from '#common/model/records.ts';

/** Changes of users and roles that the server would refuse, so that the page does not offer them. */
const ADMINISTRATOR = 'Administrator';
const PASSWORD_CHARS_MIN = 10;
const NAME_CHARS_MAX = 64;

export const isAdministrator = ({ roles }: UserRecord): boolean => roles.includes(ADMINISTRATOR);

/** There must be at least one active Administrator. */
export function isLastAdministrator(person: UserRecord, people: readonly UserRecord[]): boolean {
  if (!person.active || !isAdministrator(person)) return false;
  return !people.some((other) => other.id !== person.id && other.active && isAdministrator(other));
}

/** Nobody can grant rights that they do not have. */
export function mayGive(role: RoleRecord, held: readonly Permission[]): boolean {
  return role.permissions.every((permission) => held.includes(permission));
}

/** Whether a user with `held` may set this user's password, or reactivate them. */
export function mayActAs(person: UserRecord, roles: readonly RoleRecord[], held: readonly Permission[]): boolean {
  return roles.filter((role) => person.roles.includes(role.name)).every((role) => mayGive(role, held));
}

export const isName = (name: string): boolean => name.trim() !== '' && name.trim().length <= NAME_CHARS_MAX;
export const isPassword = (password: string): boolean => password.length >= PASSWORD_CHARS_MIN;

/** Names that differ only in case or in Unicode composition are the same name. */
export function isTaken(name: string, people: readonly { name: string }[]): boolean {
  const key = (text: string) => text.trim().normalize('NFKC').toLowerCase();
  return people.some((person) => key(person.name) === key(name));
}
