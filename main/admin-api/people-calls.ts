import { z } from 'zod';
import { roleDetail, userDetail } from '../people/act-detail.ts';
import { newPassword, permissionNames, personName, roleNames } from '#common/model/credentials.ts';
import type { RoleRecord, UserRecord } from '#common/model/records.ts';
import { performAct } from './acts.ts';
import { heldId } from './held-change.ts';
import { performRestriction } from './perform-restriction.ts';
import { roleRestriction, userRestriction } from './people-restrictions.ts';
import { defineCall, type Services, unknown } from './call.ts';
import { listOf, page, roleRecord, userRecord } from '#common/contract/records.ts';

const userPatch = z.strictObject({
  roles: roleNames.optional(),
  active: z.boolean({ error: 'expected true or false' }).optional(),
  password: newPassword.optional(),
});
const rolePatch = z.strictObject({ name: personName.optional(), permissions: permissionNames.optional() });

export const peopleCalls = [
  defineCall({
    method: 'get',
    path: '/users',
    access: 'manage_users',
    summary: 'List users',
    description: 'Lists all users with their roles, deactivated ones included.',
    response: listOf(userRecord),
    handle: ({ people }) => page(people.users()),
  }),
  defineCall({
    method: 'post',
    path: '/users',
    access: 'manage_users',
    audit: ['user.create'],
    summary: 'Create a user',
    description:
      'Creates a user with a password and roles. Roles with permissions that the current user does not hold are refused.',
    body: z.strictObject({ name: personName, password: newPassword, roles: roleNames }),
    status: 201,
    response: userRecord,
    async handle(services, context) {
      const { name, roles } = context.body;
      const act = { act: 'user.create', target: name, detail: `roles: ${roles.join(', ') || 'none'}` };
      const user = await performAct(
        services,
        context,
        act,
        () => services.people.createUser(context.body, context.session),
        (made) => ({ target: made.id, detail: `${made.name}, roles: ${made.roles.join(', ') || 'none'}` }),
      );
      services.hub.publish({ kind: 'changed', what: 'person' });
      return user;
    },
  }),
  defineCall({
    method: 'patch',
    path: '/users/:user',
    access: 'manage_users',
    audit: ['user.change', 'user.deactivate', 'user.reactivate'],
    summary: 'Change a user',
    description:
      'Changes roles or password, or deactivates or reactivates the user. The sessions of that user end. The last Administrator cannot be deactivated.',
    errors: ['not_saved'],
    body: userPatch,
    response: userRecord,
    async handle(services, context) {
      const id = context.param('user').slice(0, 64);
      const act = {
        act: userAct(context.body),
        target: id,
        detail: userDetail(services.people.users().find((user) => user.id === id)?.name, context.body),
      };
      const refuseIfRestricted = services.restrictions.watch(`user ${id}`);
      const change = () => services.people.changeUser(id, present(context.body), context.session, refuseIfRestricted);
      const restriction = userRestriction(services.people, id, context.body, context.session.user.id);
      if (restriction !== null) await performRestriction(services, context, act, restriction.change, restriction.words);
      const user = restriction === null ? await performAct(services, context, act, change) : userOf(services, id);
      const { active, roles } = context.body;
      if (active === true) services.unsaved.drop(heldId({ kind: 'user', user: id, active: false, by: '' }));
      if (restriction === null && roles !== undefined)
        services.unsaved.drop(heldId({ kind: 'user', user: id, by: '' }));
      services.hub.publish({ kind: 'changed', what: 'person' });
      return user;
    },
  }),
  defineCall({
    method: 'get',
    path: '/roles',
    access: 'manage_users',
    summary: 'List roles',
    description: 'Lists all roles with their permissions, the built-in ones first.',
    response: listOf(roleRecord),
    handle: ({ people }) => page(people.roles()),
  }),
  defineCall({
    method: 'post',
    path: '/roles',
    access: 'manage_users',
    audit: ['role.create'],
    summary: 'Create a role',
    description: 'Creates a role from permissions that the current user holds.',
    body: z.strictObject({ name: personName, permissions: permissionNames }),
    status: 201,
    response: roleRecord,
    async handle(services, context) {
      const { name, permissions } = context.body;
      const act = { act: 'role.create', target: name, detail: `permissions: ${permissions.join(', ') || 'none'}` };
      const role = await performAct(
        services,
        context,
        act,
        () => services.people.createRole(context.body, context.session),
        (made) => ({ target: made.id, detail: `${made.name}, permissions: ${made.permissions.join(', ') || 'none'}` }),
      );
      services.hub.publish({ kind: 'changed', what: 'role' });
      return role;
    },
  }),
  defineCall({
    method: 'patch',
    path: '/roles/:role',
    access: 'manage_users',
    audit: ['role.change'],
    summary: 'Change a role',
    description: 'Changes a role. Built-in roles cannot be changed. The sessions of users with this role end.',
    body: rolePatch,
    response: roleRecord,
    async handle(services, context) {
      const id = context.param('role').slice(0, 64);
      const act = { act: 'role.change', target: id, detail: roleDetail(context.body) };
      const refuseIfRestricted = services.restrictions.watch(`role ${id}`);
      const change = () => services.people.changeRole(id, present(context.body), context.session, refuseIfRestricted);
      const restriction = roleRestriction(services.people, id, context.body, context.session.user.id);
      if (restriction !== null) await performRestriction(services, context, act, restriction.change, restriction.words);
      const role = restriction === null ? await performAct(services, context, act, change) : roleOf(services, id);
      if (context.body.permissions !== undefined)
        services.unsaved.drop(heldId({ kind: 'role', role: id, permissions: [], by: '' }));
      services.hub.publish({ kind: 'changed', what: 'role' });
      return role;
    },
  }),
];

type UserPatch = z.infer<typeof userPatch>;

function userOf({ people }: Services, id: string): UserRecord {
  const user = people.users().find((one) => one.id === id);
  if (user === undefined) throw unknown('user');
  return user;
}

function roleOf({ people }: Services, id: string): RoleRecord {
  const role = people.roles().find((one) => one.id === id);
  if (role === undefined) throw unknown('role');
  return role;
}

function userAct({ active }: UserPatch): string {
  if (active === undefined) return 'user.change';
  return active ? 'user.reactivate' : 'user.deactivate';
}

/** Without the fields that are undefined: for People, an absent field is one that stays. */
function present<T extends object>(patch: T): { [Field in keyof T]: Exclude<T[Field], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [Field in keyof T]: Exclude<T[Field], undefined>;
  };
}
