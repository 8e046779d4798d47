import type { Permission, RoleRecord, UserRecord } from '#common/model/records.ts';

/** Changes of people and roles that the server would refuse, so that the page does not offer them. */
const ADMINISTRATOR = 'Administrator';
const PASSWORD_CHARS_MIN = 10;
const NAME_CHARS_MAX = 64;

export const isAdministrator = ({ roles }: UserRecord): boolean => roles.includes(ADMINISTRATOR);

/** The gateway must keep one active Administrator. */
export function isLastAdministrator(person: UserRecord, people: readonly UserRecord[]): boolean {
  if (!person.active || !isAdministrator(person)) return false;
  return !people.some((other) => other.id !== person.id && other.active && isAdministrator(other));
}

/** Nobody gives what they do not hold. */
export function mayGive(role: RoleRecord, held: readonly Permission[]): boolean {
  return role.permissions.every((permission) => held.includes(permission));
}

/** Whether somebody with `held` may choose this person's password, or bring them back. */
export function mayActAs(person: UserRecord, roles: readonly RoleRecord[], held: readonly Permission[]): boolean {
  return roles.filter((role) => person.roles.includes(role.name)).every((role) => mayGive(role, held));
}

export const isName = (name: string): boolean => name.trim() !== '' && name.trim().length <= NAME_CHARS_MAX;
export const isPassword = (password: string): boolean => password.length >= PASSWORD_CHARS_MIN;

/** Names that differ only in case, or in how their letters are composed, are one name. */
export function isTaken(name: string, people: readonly { name: string }[]): boolean {
  const key = (text: string) => text.trim().normalize('NFKC').toLowerCase();
  return people.some((person) => key(person.name) === key(name));
}
