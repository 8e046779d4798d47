import type { z } from 'zod';
import type { userPatch } from '#common/contract/people.ts';
import { peopleContract } from '#common/contract/people.ts';
import { page } from '#common/contract/records.ts';
import type { RoleRecord, UserRecord } from '#common/model/records.ts';
import { roleDetail, userDetail } from '../people/act-detail.ts';
import { performAct } from './acts.ts';
import { defineCall, type Services, unknown } from './call.ts';
import { heldId } from './held-change.ts';
import { roleRestriction, userRestriction } from './people-restrictions.ts';
import { performRestriction } from './perform-restriction.ts';

export const peopleCalls = [
  defineCall(peopleContract.listUsers, {
    handle: ({ people }) => page(people.users()),
  }),
  defineCall(peopleContract.createUser, {
    async handle(services, context) {
      const { name, roles } = context.body;
      const act = { target: name, detail: `roles: ${roles.join(', ') || 'none'}` };
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
  defineCall(peopleContract.changeUser, {
    async handle(services, context) {
      const id = context.param('user').slice(0, 64);
      const act = {
        act: userAct(context.body),
        target: id,
        detail: userDetail(services.people.users().find((user) => user.id === id)?.name, context.body),
      };
      const refuseIfRestricted = services.restrictions.watch(`user ${id}`);
      const requested = services.restrictions.last;
      const change = async () => {
        const user = await services.people.changeUser(id, present(context.body), context.session, refuseIfRestricted);
        const { active, roles } = context.body;
        // Now, and only the earlier ones: a newer restriction may be held while the outcome is recorded.
        if (active === true)
          services.unsaved.drop(heldId({ kind: 'user', user: id, active: false, by: '' }), requested);
        if (roles !== undefined) services.unsaved.drop(heldId({ kind: 'user', user: id, by: '' }), requested);
        return user;
      };
      const restriction = userRestriction(services.people, id, context.body, context.session.user.id);
      if (restriction !== null) await performRestriction(services, context, act, restriction.change, restriction.what);
      const user = restriction === null ? await performAct(services, context, act, change) : userOf(services, id);
      services.hub.publish({ kind: 'changed', what: 'person' });
      return user;
    },
  }),
  defineCall(peopleContract.listRoles, {
    handle: ({ people }) => page(people.roles()),
  }),
  defineCall(peopleContract.createRole, {
    async handle(services, context) {
      const { name, permissions } = context.body;
      const act = { target: name, detail: `permissions: ${permissions.join(', ') || 'none'}` };
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
  defineCall(peopleContract.changeRole, {
    async handle(services, context) {
      const id = context.param('role').slice(0, 64);
      const act = { act: 'role.change', target: id, detail: roleDetail(context.body) };
      const refuseIfRestricted = services.restrictions.watch(`role ${id}`);
      const requested = services.restrictions.last;
      const change = async () => {
        const role = await services.people.changeRole(id, present(context.body), context.session, refuseIfRestricted);
        if (context.body.permissions !== undefined)
          services.unsaved.drop(heldId({ kind: 'role', role: id, permissions: [], by: '' }), requested);
        return role;
      };
      const restriction = roleRestriction(services.people, id, context.body, context.session.user.id);
      if (restriction !== null) await performRestriction(services, context, act, restriction.change, restriction.what);
      const role = restriction === null ? await performAct(services, context, act, change) : roleOf(services, id);
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

/** Without undefined fields: for People, an absent field means unchanged. */
function present<T extends object>(patch: T): { [Field in keyof T]: Exclude<T[Field], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [Field in keyof T]: Exclude<T[Field], undefined>;
  };
}
