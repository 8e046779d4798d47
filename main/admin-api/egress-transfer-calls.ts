import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { EgressEventDetail, EgressEventState, ExportedEvent } from '#common/model/egress.ts';
import type { GatewayLink } from '../contracts.ts';
import { performAct } from './acts.ts';
import { defineCall, invalid, WRITTEN } from './call.ts';
import { actAndTell } from './egress-acts.ts';
import { EVENT_BODY_BYTES_MAX, stateFilter, targetFilter } from './egress-event-calls.ts';
import { exportedEvent } from './egress-schemas.ts';
import { linesAs } from './json-lines.ts';

/**
 * Stored events out and in again, as JSON Lines: one event a line, with what was sent, never with a header's value.
 *
 * Limits: two exports at a time, a page of events in memory each; an import of 24 MiB and 10,000 events (a longer file
 * is sent in pieces, in any order).
 */
const EXPORTS_MAX = 2;
const PAGE_EVENTS = 100;
const IMPORT_EVENTS_MAX = 10_000;
const EVENTS_EXPECTED = `expected a list of at most ${IMPORT_EVENTS_MAX} exported events`;

const underWay = new WeakMap<GatewayLink, number>();

export const egressTransferCalls = [
  defineCall({
    method: 'get',
    path: '/egress/export',
    access: 'edit_pipelines',
    summary: 'Export stored events (dead letters unless another state is given) as JSON Lines, oldest first',
    query: z.strictObject({ state: stateFilter.default('dead'), target: targetFilter.optional() }),
    response: null,
    contentType: 'application/jsonl',
    async handle(services, context) {
      const { response, query } = context;
      const { state, target = null } = query;
      const row = { act: 'egress.export', target: target ?? 'all targets', detail: `state ${state}` };
      const count = { events: 0 };
      const outcome = () => ({ detail: `state ${state}; ${count.events} events` });
      await onceAtMost(services.gateway, () =>
        performAct(
          services,
          context,
          row,
          async () => {
            const lines = exportLines(services.gateway, state, target, count);
            // Before anything is written: a gateway that does not answer is an answer of its own.
            const first = await lines.next();
            response.attachment(`events-${state}.jsonl`).type('application/jsonl; charset=utf-8');
            // The answer ends only after the outcome is in the journal.
            await pipeline(Readable.from(resumed(first, lines), { highWaterMark: 1 }), response, { end: false });
          },
          outcome,
        ),
      );
      response.end();
      return WRITTEN;
    },
  }),
  defineCall({
    method: 'post',
    path: '/egress/import',
    access: ['run_pipelines', 'edit_pipelines'],
    summary:
      'Store exported events as dead letters, all or none, from JSON Lines or { "events": [ … ] }; those that are there already are skipped',
    body: z.strictObject({
      events: z.array(exportedEvent, { error: EVENTS_EXPECTED }).max(IMPORT_EVENTS_MAX, EVENTS_EXPECTED),
    }),
    bodyBytesMax: EVENT_BODY_BYTES_MAX,
    takesLines: true,
    prepare: linesAs('events', exportedEvent, IMPORT_EVENTS_MAX),
    response: z.strictObject({ imported: z.number(), skipped: z.number() }),
    handle(services, context) {
      const { events } = context.body;
      if (events.length === 0) throw invalid([{ path: 'events', message: 'expected at least one exported event' }]);
      const row = { act: 'egress.import', target: targetsOf(events), detail: `${events.length} events` };
      return actAndTell(
        services,
        context,
        row,
        () => services.gateway.call('egress-import', { events }),
        ({ imported, skipped }) => ({ detail: `${imported} events; ${skipped} were there already` }),
      );
    },
  }),
];

async function onceAtMost(gateway: GatewayLink, act: () => Promise<void>): Promise<void> {
  const running = underWay.get(gateway) ?? 0;
  if (running >= EXPORTS_MAX)
    throw new SluiceError('conflict', `At most ${EXPORTS_MAX} exports run at a time; try again.`);
  underWay.set(gateway, running + 1);
  try {
    await act();
  } finally {
    underWay.set(gateway, (underWay.get(gateway) ?? 1) - 1);
  }
}

/** One page of events a chunk, the next one asked for when the reader has taken it. */
async function* exportLines(
  gateway: GatewayLink,
  state: EgressEventState,
  target: string | null,
  count: { events: number },
): AsyncGenerator<string, void> {
  let cursor: string | null = null;
  do {
    const page: { items: EgressEventDetail[]; next: string | null } = await gateway.call('egress-events', {
      state,
      target,
      cursor,
      limit: PAGE_EVENTS,
      payloads: true,
    });
    count.events += page.items.length;
    if (page.items.length > 0) yield page.items.map((event) => `${JSON.stringify(exported(event))}\n`).join('');
    cursor = page.next;
  } while (cursor !== null);
}

async function* resumed(first: IteratorResult<string, void>, rest: AsyncIterable<string>): AsyncGenerator<string> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

/** Throws rather than leave out an event that cannot be read: an export that lacks some would look whole. */
function exported(event: EgressEventDetail): ExportedEvent {
  const { id, origin, project, pipeline, node, method, acceptedAt, payload } = event;
  if (payload === null) throw new Error(`the payload of event ${id} cannot be read`);
  return { id, origin, project, pipeline, node, method, acceptedAt, payload };
}

const TARGETS_TOLD_MAX = 5;

function targetsOf(events: readonly ExportedEvent[]): string {
  const origins = [...new Set(events.map(({ origin }) => origin))];
  const more = origins.length - TARGETS_TOLD_MAX;
  return origins.slice(0, TARGETS_TOLD_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
