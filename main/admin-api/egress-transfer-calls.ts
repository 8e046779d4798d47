import { exportedEvent } from '#common/contract/egress-records.ts';
import { egressTransferContract, IMPORT_EVENTS_MAX } from '#common/contract/egress-transfer.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { ExportedEvent } from '#common/model/egress.ts';
import type { GatewayLink } from '../contracts.ts';
import { defineCall, invalid, WRITTEN } from './call.ts';
import { actAndTell } from './egress-acts.ts';
import { exportEvents } from './egress-export.ts';
import { linesAs } from './json-lines.ts';

/**
 * Export (egress-export.ts) and import of stored events as JSON Lines.
 *
 * Limits: two exports at a time; an import of 24 MiB and 10,000 events (a longer file is sent in pieces, in any order).
 */
const EXPORTS_MAX = 2;

const underWay = new WeakMap<GatewayLink, number>();

export const egressTransferCalls = [
  defineCall(egressTransferContract.exportEvents, {
    async handle(services, context) {
      const { state, target = null } = context.query;
      await onceAtMost(services.gateway, () => exportEvents(services, context, { state, target }));
      context.response.end();
      return WRITTEN;
    },
  }),
  defineCall(egressTransferContract.importEvents, {
    prepare: linesAs('events', exportedEvent, IMPORT_EVENTS_MAX),
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

const TARGETS_LISTED_MAX = 5;
const PIPELINES_LISTED_MAX = 10;

const targetsOf = (events: readonly ExportedEvent[]): string =>
  firstOf(
    events.map(({ origin }) => origin),
    TARGETS_LISTED_MAX,
  );

const pipelinesOf = (events: readonly ExportedEvent[]): string =>
  firstOf(
    events.map(({ project, pipeline }) => `${project}/${pipeline}`),
    PIPELINES_LISTED_MAX,
  );

/** Without duplicates, in their order; beyond `max` only their number. */
function firstOf(all: readonly string[], max: number): string {
  const distinct = [...new Set(all)];
  const more = distinct.length - max;
  return distinct.slice(0, max).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
