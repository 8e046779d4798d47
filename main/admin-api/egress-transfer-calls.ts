import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { ExportedEvent } from '#common/model/egress.ts';
import type { GatewayLink } from '../contracts.ts';
import { defineCall, invalid, WRITTEN } from './call.ts';
import { actAndTell } from './egress-acts.ts';
import { EVENT_BODY_BYTES_MAX, stateFilter, targetFilter } from './egress-event-calls.ts';
import { EXPORT_ACCESS, exportEvents } from './egress-export.ts';
import { exportedEvent } from '#common/contract/egress-records.ts';
import { linesAs } from './json-lines.ts';

/**
 * Stored events out (egress-export.ts) and in again, as JSON Lines.
 *
 * Limits: two exports at a time; an import of 24 MiB and 10,000 events (a longer file is sent in pieces, in any order).
 */
const EXPORTS_MAX = 2;
const IMPORT_EVENTS_MAX = 10_000;
const EVENTS_EXPECTED = `expected a list of at most ${IMPORT_EVENTS_MAX} exported events`;

const underWay = new WeakMap<GatewayLink, number>();

export const egressTransferCalls = [
  defineCall({
    method: 'get',
    path: '/egress/export',
    access: EXPORT_ACCESS,
    audit: ['egress.export'],
    summary: 'Export stored events',
    description: 'Downloads stored events as JSON Lines, oldest first. Without `state` these are the dead letters.',
    query: z.strictObject({ state: stateFilter.default('dead'), target: targetFilter.optional() }),
    response: null,
    contentType: 'application/jsonl',
    async handle(services, context) {
      const { state, target = null } = context.query;
      await onceAtMost(services.gateway, () => exportEvents(services, context, { state, target }));
      context.response.end();
      return WRITTEN;
    },
  }),
  defineCall({
    method: 'post',
    path: '/egress/import',
    access: ['run_pipelines', 'edit_pipelines'],
    audit: ['egress.import'],
    summary: 'Import stored events',
    description:
      'Stores exported events as dead letters, either all of them or none. Events that are stored already are skipped. The body is JSON Lines or `{ "events": [ … ] }`.',
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
      const from = `of ${pipelinesOf(events)}`;
      const row = { target: targetsOf(events), detail: `${events.length} events ${from}` };
      return actAndTell(
        services,
        context,
        row,
        () => services.gateway.call('egress-import', { events }),
        ({ imported, skipped }) => ({ detail: `${imported} events ${from}; ${skipped} were there already` }),
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

const TARGETS_TOLD_MAX = 5;
const PIPELINES_TOLD_MAX = 10;

const targetsOf = (events: readonly ExportedEvent[]): string =>
  firstOf(
    events.map(({ origin }) => origin),
    TARGETS_TOLD_MAX,
  );

const pipelinesOf = (events: readonly ExportedEvent[]): string =>
  firstOf(
    events.map(({ project, pipeline }) => `${project}/${pipeline}`),
    PIPELINES_TOLD_MAX,
  );

/** Each once, in their order; those beyond `max` only as their number. */
function firstOf(all: readonly string[], max: number): string {
  const distinct = [...new Set(all)];
  const more = distinct.length - max;
  return distinct.slice(0, max).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
