import { egressEventContract, RETRIES_MAX } from '#common/contract/egress-event.ts';
import type { EgressEvent, EgressEventDetail } from '#common/model/egress.ts';
import { type Context, defineCall, type Services } from './call.ts';
import { actAndTell, eventRow, isCode, knownEvent, knownTarget } from './egress-acts.ts';
import { actOnMany } from './egress-many.ts';
import { visibleAnswer } from './egress-visible.ts';

/**
 * Stored events, one by one (docs/spec/egress.md#dead-letters). Contents and responses are shown only to users with
 * edit_pipelines, and never written to the journal.
 *
 * Limits: 1,000 events per page; `RETRIES_MAX` dead letters, or `MANY_MAX` events of a filter, per call; bodies of an
 * edited event as large as in an export.
 */

const PAGE_USUAL = 100;

export const egressEventCalls = [
  defineCall(egressEventContract.list, {
    async handle({ gateway }, { query, session }) {
      const { state = null, target = null, cursor = null, limit = PAGE_USUAL } = query;
      const found = await gateway.call('egress-events', { state, target, cursor, limit, payloads: false });
      return { items: found.items.map((item) => visibleAnswer(withoutPayload(item), session)), next: found.next };
    },
  }),
  defineCall(egressEventContract.read, {
    async handle(services, context) {
      const { session } = context;
      const found = await knownEvent(services, context, session.permissions.has('edit_pipelines'));
      return visibleAnswer(found, session);
    },
  }),
  defineCall(egressEventContract.change, {
    async handle(services, context) {
      const event = await knownEvent(services, context, false);
      const edit = context.body;
      const row = eventRow(event, `; changed: ${Object.keys(edit).join(', ')}`);
      const then = await actAndTell(services, context, row, () =>
        services.gateway.call('egress-edit', { event: event.id, edit }),
      );
      return visibleAnswer(then, context.session);
    },
  }),
  defineCall(egressEventContract.retry, {
    handle: (services, context) => eventAct(services, context, 'retry'),
  }),
  defineCall(egressEventContract.discard, {
    handle: (services, context) => eventAct(services, context, 'discard'),
  }),
  defineCall(egressEventContract.retryMany, {
    handle(services, context) {
      const { target = null, cursor = null, limit } = context.body;
      return actOnMany(services, context, { act: 'retry', state: 'dead', target, cursor, limit });
    },
  }),
  defineCall(egressEventContract.discardMany, {
    handle(services, context) {
      const { state, target = null, cursor = null, limit } = context.body;
      return actOnMany(services, context, { act: 'discard', state, target, cursor, limit });
    },
  }),
  defineCall(egressEventContract.retryDead, {
    async handle(services, context) {
      const { id, target, dead } = await knownTarget(services, context);
      const row = { target: id, detail: target };
      return actAndTell(
        services,
        context,
        row,
        () => retryDead(services, id, dead),
        ({ retried, left }) => ({ detail: `${target}; ${retried} retried, ${left} left` }),
      );
    },
  }),
];

function withoutPayload(detail: EgressEventDetail): EgressEvent {
  const { payload: _payload, tries: _tries, ...event } = detail;
  return event;
}

async function eventAct(
  services: Services,
  context: Context<undefined, undefined>,
  act: 'retry' | 'discard',
): Promise<EgressEvent | null> {
  const event = await knownEvent(services, context, false);
  const then = await actAndTell(services, context, eventRow(event), () =>
    services.gateway.call('egress-event-act', { event: event.id, act }),
  );
  return then === null ? null : visibleAnswer(then, context.session);
}

/**
 * `dead`: their number at the beginning. Events that were removed meanwhile are skipped; events that cannot be retried
 * remain dead letters. If none could be retried, the reason of the first is the response. If the gateway fails
 * half-way, the completed part is reported: an error would hide it from the journal.
 */
async function retryDead(
  { gateway }: Services,
  target: string,
  dead: number,
): Promise<{ retried: number; left: number }> {
  const page = { state: 'dead', target, cursor: null, limit: RETRIES_MAX, payloads: false } as const;
  const { items } = await gateway.call('egress-events', page);
  const faults: unknown[] = [];
  let retried = 0;
  let gone = 0;
  for (const { id } of items) {
    try {
      await gateway.call('egress-event-act', { event: id, act: 'retry' });
      retried++;
    } catch (error) {
      if (isCode(error, 'unknown')) {
        gone++;
        continue;
      }
      faults.push(error);
      if (!isCode(error, 'conflict')) break;
    }
  }
  if (retried === 0 && faults.length > 0) throw faults[0];
  return { retried, left: Math.max(0, dead - retried - gone) };
}
