import { z } from 'zod';
import { declareCall } from './declaration.ts';
import { eventDetail, eventEdit, eventRecord } from './egress-records.ts';
import { listOf } from './records.ts';
import { expected } from '../errors/rules.ts';
import { textUpTo } from '../model/bounds.ts';

/**
 * Stored events, one by one (docs/spec/egress.md#dead-letters). Payloads and replies are shown only with the permission
 * edit_pipelines, and never written to the journal.
 *
 * Limits: 1,000 events per page; `RETRIES_MAX` dead letters, or `MANY_MAX` events of a filter, per call; bodies of an
 * edited event as large as in an export.
 */
const EVENTS = '/egress/events';
const EVENT = `${EVENTS}/:event`;
const PAGE_MAX = 1_000;
export const RETRIES_MAX = 1_000;
/** A call of this many takes a few seconds: each event gets a journal row. */
export const MANY_MAX = 200;
/** The largest body that the gateway stores, in base64, plus the JSON around it. */
export const EVENT_BODY_BYTES_MAX = 24 * 1024 * 1024;

const short = textUpTo(300).min(1, expected('text'));
export const stateFilter = z.enum(['queued', 'dead'], { error: expected('one_of', { values: ['queued', 'dead'] }) });
export const targetFilter = short.meta({ description: 'The id of a target.' });
const LIMIT_EXPECTED = expected('range', { what: 'a number', from: 1, to: PAGE_MAX });
const limit = z
  .string({ error: LIMIT_EXPECTED })
  .regex(/^\d{1,4}$/, LIMIT_EXPECTED)
  .transform(Number)
  .pipe(z.number().min(1, LIMIT_EXPECTED).max(PAGE_MAX, LIMIT_EXPECTED));

const manyExpected = expected('range', { what: 'a whole number', from: 1, to: MANY_MAX });
/** The events of a list, from `cursor` on. */
const manyBody = {
  target: targetFilter.optional(),
  cursor: short.optional(),
  limit: z.int(manyExpected).min(1, manyExpected).max(MANY_MAX, manyExpected).default(MANY_MAX),
};
const manyDone = z.strictObject({
  done: z.number(),
  gone: z.number().meta({ description: 'Events that were delivered or discarded in the meantime.' }),
  refused: z.array(z.strictObject({ event: z.string(), reason: z.string() })),
  next: z.string().nullable().meta({ description: 'The cursor of the next call; null: no more events.' }),
});
const MANY = `at most ${MANY_MAX} per call. Repeat the call with "next" as "cursor" for the others.`;

export const egressEventContract = {
  list: declareCall({
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
  }),
  read: declareCall({
    method: 'get',
    path: EVENT,
    access: 'view',
    summary: 'Read a stored event',
    description: 'Shows one event with its attempts. Contents are null without the permission `edit_pipelines`.',
    response: eventDetail,
  }),
  change: declareCall({
    method: 'patch',
    path: EVENT,
    access: ['run_pipelines', 'edit_pipelines'],
    audit: ['egress.edit'],
    summary: 'Edit a dead letter',
    description: 'Changes the contents of a dead letter. It gets a new `Idempotency-Key` and waits for a retry.',
    body: eventEdit,
    bodyBytesMax: EVENT_BODY_BYTES_MAX,
    response: eventDetail,
  }),
  retry: declareCall({
    method: 'post',
    path: `${EVENT}/retry`,
    access: 'run_pipelines',
    audit: ['egress.retry'],
    summary: 'Retry a dead letter',
    description:
      'Puts a dead letter back into its place in the queue. The reply is the event, or null if it was delivered already.',
    response: eventRecord.nullable(),
  }),
  discard: declareCall({
    method: 'post',
    path: `${EVENT}/discard`,
    access: 'run_pipelines',
    audit: ['egress.discard'],
    summary: 'Discard an event',
    description: 'Permanently deletes a dead letter, or a queued event of a paused target. The reply is null.',
    response: eventRecord.nullable(),
  }),
  retryMany: declareCall({
    method: 'post',
    path: `${EVENTS}/retry`,
    access: 'run_pipelines',
    audit: ['egress.retry-many', 'egress.retry'],
    summary: 'Retry the dead letters of a filter',
    description: `Puts dead letters of one target, or of all, back into their places, oldest first, ${MANY} The journal gets a row for the call and one for each event.`,
    body: z.strictObject(manyBody),
    response: manyDone,
  }),
  discardMany: declareCall({
    method: 'post',
    path: `${EVENTS}/discard`,
    access: 'run_pipelines',
    audit: ['egress.discard-many', 'egress.discard'],
    summary: 'Discard the events of a filter',
    description: `Permanently deletes dead letters, or queued events of paused targets, oldest first, ${MANY} The journal gets a row for the call and one for each event.`,
    body: z.strictObject({ state: stateFilter, ...manyBody }),
    response: manyDone,
  }),
  retryDead: declareCall({
    method: 'post',
    path: '/egress/targets/:target/retry-dead',
    access: 'run_pipelines',
    audit: ['egress.retry-dead'],
    summary: 'Retry all dead letters of a target',
    description: `Puts dead letters of the target back into their places, oldest first, at most ${RETRIES_MAX} per call. "left" in the reply counts the others; repeat the call for them.`,
    response: z.strictObject({ retried: z.number(), left: z.number() }),
  }),
};
