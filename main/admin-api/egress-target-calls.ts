import type { EgressTargetAct } from '#common/control/messages.ts';
import type { EgressTarget } from '#common/model/egress.ts';
import { type Context, defineCall, type Services } from './call.ts';
import { actAndTell, knownTarget } from './egress-acts.ts';
import { bufferRecord, targetRecord } from './egress-schemas.ts';
import { visibleAnswer } from './egress-visible.ts';
import { listOf, page } from './schemas.ts';

/**
 * Store-and-forward, target by target (behaviour 6). What a target answered is for those with edit_pipelines. Without a
 * gateway every call is 503 `gateway_down`.
 */
const TARGETS = '/egress/targets';
const TARGET = `${TARGETS}/:target`;

export const egressTargetCalls = [
  defineCall({
    method: 'get',
    path: TARGETS,
    access: 'view',
    summary: 'List the targets that pipelines call with store-and-forward, with what waits for each',
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
    summary: 'Read how full the buffer is that all targets share, and whether events can be stored',
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
    summary: 'Pause a target: events for it are stored, nothing is sent',
    response: targetRecord,
    handle: (services, context) => targetAct(services, context, 'pause'),
  }),
  defineCall({
    method: 'post',
    path: `${TARGET}/resume`,
    access: 'run_pipelines',
    summary: 'Resume a paused target: what waits is sent, oldest first',
    response: targetRecord,
    handle: (services, context) => targetAct(services, context, 'resume'),
  }),
  defineCall({
    method: 'post',
    path: `${TARGET}/try`,
    access: 'run_pipelines',
    summary: 'Send the oldest event of a paused target once, to see what it answers; it stays paused',
    response: targetRecord,
    handle: (services, context) => targetAct(services, context, 'try'),
  }),
  defineCall({
    method: 'post',
    path: `${TARGET}/rehearse`,
    access: 'access_settings',
    summary: 'Block a target for 60 s as if it were down, and count what becomes of its events',
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
  const row = { act: `egress.${act}`, target: id, detail: target };
  const then = await actAndTell(services, context, row, () =>
    services.gateway.call('egress-target-act', { target: id, act, by }),
  );
  return visibleAnswer(then, context.session);
}
