import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { EgressEvent, EgressEventDetail } from '#common/model/egress.ts';
import { type Context, defineCall, type Services } from './call.ts';
import { actAndTell, eventRow, knownEvent, knownTarget } from './egress-acts.ts';
import { eventDetail, eventEdit, eventRecord } from '#common/contract/egress-records.ts';
import { visibleAnswer } from './egress-visible.ts';
import { listOf } from '#common/contract/records.ts';

/**
 * Stored events, one by one (docs/spec/egress.md#dead-letters). What was sent, and what was answered, is shown to those
 * with edit_pipelines alone, and never written into the journal.
 *
 * Limits: 1,000 events a page; `RETRIES_MAX` dead letters a call; bodies of a repaired event as large as an export's.
 */
const EVENTS = '/egress/events';
const EVENT = `${EVENTS}/:event`;
const PAGE_MAX = 1_000;
const PAGE_USUAL = 100;
export const RETRIES_MAX = 1_000;
/** The largest body that the gateway stores, in base64, and the JSON around it. */
export const EVENT_BODY_BYTES_MAX = 24 * 1024 * 1024;

const short = z
  .string({ error: 'expected one text' })
  .min(1, 'expected a text')
  .max(300, 'expected at most 300 characters');
export const stateFilter = z.enum(['queued', 'dead'], { error: 'expected "queued" or "dead"' });
export const targetFilter = short.meta({ description: 'The id of a target.' });
const LIMIT_EXPECTED = `expected a number from 1 to ${PAGE_MAX}`;
const limit = z
  .string({ error: LIMIT_EXPECTED })
  .regex(/^\d{1,4}$/, LIMIT_EXPECTED)
  .transform(Number)
  .pipe(z.number().min(1, LIMIT_EXPECTED).max(PAGE_MAX, LIMIT_EXPECTED));

export const egressEventCalls = [
  defineCall({
    method: 'get',
    path: EVENTS,
    access: 'view',
    summary: 'List stored events',
    description: 'Lists events that wait or are dead letters, oldest first, without their contents.',
    query: z.strictObject({
      state: stateFilter.optional(),
      target: targetFilter.optional(),
      cursor: short.optional(),
      limit: limit.optional(),
    }),
    response: listOf(eventRecord),
    async handle({ gateway }, { query, session }) {
      const { state = null, target = null, cursor = null, limit = PAGE_USUAL } = query;
      const found = await gateway.call('egress-events', { state, target, cursor, limit, payloads: false });
      return { items: found.items.map((item) => visibleAnswer(withoutPayload(item), session)), next: found.next };
    },
  }),
  defineCall({
    method: 'get',
    path: EVENT,
    access: 'view',
    summary: 'Read a stored event',
    description: 'Shows one event with its attempts. Contents are null without the permission `edit_pipelines`.',
    response: eventDetail,
    async handle(services, context) {
      const { session } = context;
      const found = await knownEvent(services, context, session.permissions.has('edit_pipelines'));
      return visibleAnswer(found, session);
    },
  }),
  defineCall({
    method: 'patch',
    path: EVENT,
    access: ['run_pipelines', 'edit_pipelines'],
    audit: ['egress.edit'],
    summary: 'Edit a dead letter',
    description: 'Changes the contents of a dead letter. It gets a new `Idempotency-Key` and waits for a retry.',
    body: eventEdit,
    bodyBytesMax: EVENT_BODY_BYTES_MAX,
    response: eventDetail,
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
  defineCall({
    method: 'post',
    path: `${EVENT}/retry`,
    access: 'run_pipelines',
    audit: ['egress.retry'],
    summary: 'Retry a dead letter',
    description:
      'Puts a dead letter back into its place in the queue. The reply is the event, or null if it was delivered already.',
    response: eventRecord.nullable(),
    handle: (services, context) => eventAct(services, context, 'retry'),
  }),
  defineCall({
    method: 'post',
    path: `${EVENT}/discard`,
    access: 'run_pipelines',
    audit: ['egress.discard'],
    summary: 'Discard an event',
    description: 'Deletes a dead letter, or a queued event of a paused target, for good. The reply is null.',
    response: eventRecord.nullable(),
    handle: (services, context) => eventAct(services, context, 'discard'),
  }),
  defineCall({
    method: 'post',
    path: '/egress/targets/:target/retry-dead',
    access: 'run_pipelines',
    audit: ['egress.retry-dead'],
    summary: 'Retry all dead letters of a target',
    description: `Puts dead letters of the target back into their places, oldest first, at most ${RETRIES_MAX} per call. "left" in the reply counts the others; repeat the call for them.`,
    response: z.strictObject({ retried: z.number(), left: z.number() }),
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
  const { payload: _, ...event } = detail;
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
 * `dead`: how many there were when it began. What is gone meanwhile is passed over; what cannot be retried stays dead
 * and is left. When none could be, the reason of the first is the answer; when the gateway fails half-way, what was
 * done is told: an error would hide it from the journal.
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

function isCode(error: unknown, code: 'unknown' | 'conflict'): boolean {
  return error instanceof SluiceError && error.code === code;
}
