import { phrase } from '#common/alarms/phrase.ts';
import { page } from '#common/contract/records.ts';
import { type NewToken, tokenContract } from '#common/contract/token.ts';
import type { TokenRecord } from '#common/model/records.ts';
import { performAct } from './acts.ts';
import { defineCall } from './call.ts';
import { performRestriction } from './perform-restriction.ts';

/** Service tokens (docs/spec/users.md#service-tokens). A revocation is in effect first and is saved afterwards. */
export const tokenCalls = [
  defineCall(tokenContract.list, {
    handle: ({ people }) => page(people.tokens.list()),
  }),
  defineCall(tokenContract.create, {
    async handle(services, context) {
      const { name } = context.body;
      const { value, record } = await performAct(
        services,
        context,
        { target: name, detail: givenDetail(context.body) },
        () => services.people.tokens.create(context.body, context.session),
        (made) => ({ target: made.record.id, detail: `${name}, ${givenDetail(made.record)}` }),
      );
      services.hub.publish({ kind: 'changed', what: 'token' });
      return { token: value, record };
    },
  }),
  defineCall(tokenContract.revoke, {
    async handle(services, context) {
      const { tokens } = services.people;
      const { id, name } = tokens.get(context.param('token').slice(0, 64));
      const act = { act: 'token.revoke', target: id, detail: name };
      const change = { kind: 'token', token: id, by: context.session.user.name } as const;
      await performRestriction(services, context, act, change, phrase('token_revoked', { token: name }));
      services.hub.publish({ kind: 'changed', what: 'token' });
      return tokens.get(id);
    },
  }),
];

type Given = Pick<NewToken | TokenRecord, 'permissions' | 'project' | 'endsAt' | 'addresses'>;

function givenDetail({ permissions, project, endsAt, addresses }: Given): string {
  const from = addresses ? `, addresses: ${addresses.join(', ')}` : '';
  return `permissions: ${permissions.join(', ')}, project: ${project ?? 'all'}, ends: ${endsAt}${from}`;
}
