import { egressTargetContract } from '#common/contract/egress-target.ts';
import { page } from '#common/contract/records.ts';
import type { EgressTargetAct } from '#common/control/messages.ts';
import type { EgressTarget } from '#common/model/egress.ts';
import { type Context, defineCall, type Services } from './call.ts';
import { actAndTell, knownTarget } from './egress-acts.ts';
import { visibleAnswer } from './egress-visible.ts';

/**
 * Store-and-forward, target by target (docs/spec/egress.md#targets). Responses of targets are only for users with
 * edit_pipelines. Without a gateway every call but the backlog is 503
 * `gateway_down`.
 */

export const egressTargetCalls = [
  defineCall(egressTargetContract.list, {
    async handle({ gateway }, { session }) {
      const { targets } = await gateway.call('egress-state', {});
      return page(targets.map((target) => visibleAnswer(target, session)));
    },
  }),
  defineCall(egressTargetContract.buffer, {
    async handle({ gateway }) {
      const { buffer } = await gateway.call('egress-state', {});
      return buffer;
    },
  }),
  defineCall(egressTargetContract.backlog, {
    handle: ({ backlog }, { query }) => backlog.of(query.target, query.range),
  }),
  defineCall(egressTargetContract.pause, {
    handle: (services, context) => targetAct(services, context, 'pause'),
  }),
  defineCall(egressTargetContract.resume, {
    handle: (services, context) => targetAct(services, context, 'resume'),
  }),
  defineCall(egressTargetContract.sendOne, {
    handle: (services, context) => targetAct(services, context, 'try'),
  }),
  defineCall(egressTargetContract.rehearse, {
    handle: (services, context) => targetAct(services, context, 'rehearse'),
  }),
];

async function targetAct(
  services: Services,
  context: Context<undefined, undefined>,
  act: EgressTargetAct,
): Promise<EgressTarget> {
  const { id, target } = await knownTarget(services, context);
  const by = context.session.user.name;
  const row = { target: id, detail: target };
  const then = await actAndTell(services, context, row, () =>
    services.gateway.call('egress-target-act', { target: id, act, by }),
  );
  return visibleAnswer(then, context.session);
}
