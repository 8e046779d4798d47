import { expect, test } from 'vitest';
import { PERMISSIONS, type RoleRecord, type UserRecord } from '#common/model/records.ts';
import { isLastAdministrator, isTaken, mayActAs, mayGive } from './people-view.ts';

const person = (id: string, roles: string[], active = true): UserRecord => ({
  id,
  name: id,
  roles,
  active,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastLoginAt: null,
});
const administrator: RoleRecord = { id: 'a', name: 'Administrator', permissions: [...PERMISSIONS], builtIn: true };
const viewer: RoleRecord = { id: 'v', name: 'Viewer', permissions: ['view'], builtIn: true };

test('the last active Administrator is found, and a deactivated one does not count', () => {
  const ada = person('ada', ['Administrator']);
  expect(isLastAdministrator(ada, [ada, person('bob', ['Administrator'], false), person('eve', ['Viewer'])])).toBe(
    true,
  );
  expect(isLastAdministrator(ada, [ada, person('bob', ['Administrator'])])).toBe(false);
  expect(isLastAdministrator(person('eve', ['Viewer']), [ada])).toBe(false);
});

test('only users who hold all permissions of a role may assign it or change its users', () => {
  expect(mayGive(administrator, ['manage_users', 'view'])).toBe(false);
  expect(mayGive(viewer, ['manage_users', 'view'])).toBe(true);
  const roles = [administrator, viewer];
  expect(mayActAs(person('ada', ['Viewer', 'Administrator']), roles, ['manage_users', 'view'])).toBe(false);
  expect(mayActAs(person('eve', ['Viewer']), roles, ['manage_users', 'view'])).toBe(true);
});

test('a name counts as taken in any case', () => {
  expect(isTaken(' ADA ', [{ name: 'Ada' }])).toBe(true);
  expect(isTaken('Ada B', [{ name: 'Ada' }])).toBe(false);
});
