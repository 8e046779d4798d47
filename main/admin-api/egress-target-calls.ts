import type { EgressTargetAct } from '#common/control/messages.ts';
import type { EgressTarget } from '#common/model/egress.ts';
import { type Context, defineCall, type Services } from './call.ts';
import { actAndTell, knownTarget } from './egress-acts.ts';
import { bufferRecord, targetRecord } from '#common/contract/egress-records.ts';
import { visibleAnswer } from './egress-visible.ts';
import { listOf, page } from '#common/contract/records.ts';

/**
 * Store-and-forward, target by target (docs/spec/egress.md#targets). What a target answered is for those with
 * edit_pipelines. Without a gateway every call is 503 `gateway_down`.
 */
const TARGETS = '/egress/targets';
const TARGET = `${TARGETS}/:target`;

export const egressTargetCalls = [
  defineCall({
    method: 'get',
    path: TARGETS,
    access: 'view',
    summary: 'List egress targets',
    description:
      'Lists the targets that pipelines call with store-and-forward, each with its state, the number of waiting events and the next attempt.',
    response: listOf(targetRecord),
    async handle({ gateway }, { session }) {
      const { targets } = await gateway.call('egress-state', {});
      return page(targets.map((target) => visibleAnswer(target, session)));
    },
  }),
  defineCall({
    method: 'get',
    path: '/egress/buffer',
    access: 'view',
    summary: 'Read the egress buffer',
    description: 'Shows how full the buffer of all targets is and whether new events can be stored.',
    response: bufferRecord,
    async handle({ gateway }) {
      const { buffer } = await gateway.call('egress-state', {});
      return buffer;
    },
  }),
  defineCall({
    method: 'post',
    path: `${TARGET}/pause`,
    access: 'run_pipelines',
    audit: ['egress.pause'],
    summary: 'Pause a target',
    description: 'Stops sending to the target. New events are stored until it is resumed.',
    response: targetRecord,
    handle: (services, context) => targetAct(services, context, 'pause'),
  }),
  defineCall({
    method: 'post',
    path: `${TARGET}/resume`,
    access: 'run_pipelines',
    audit: ['egress.resume'],
    summary: 'Resume a target',
    description: 'Sends the waiting events of a paused target, oldest first.',
    response: targetRecord,
    handle: (services, context) => targetAct(services, context, 'resume'),
  }),
  defineCall({
    method: 'post',
    path: `${TARGET}/try`,
    access: 'run_pipelines',
    audit: ['egress.try'],
    summary: 'Send one event of a paused target',
    description: 'Sends the oldest waiting event once and answers the outcome. The target stays paused.',
    response: targetRecord,
    handle: (services, context) => targetAct(services, context, 'try'),
  }),
  defineCall({
    method: 'post',
    path: `${TARGET}/rehearse`,
    access: 'access_settings',
    audit: ['egress.rehearse'],
    summary: 'Rehearse an outage of a target',
    description: 'Blocks the target for 60 seconds as if it were down and counts the outcome of its events.',
    response: targetRecord,
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
