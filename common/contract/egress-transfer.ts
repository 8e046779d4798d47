import { z } from 'zod';
import { declareCall } from './declaration.ts';
import { EVENT_BODY_BYTES_MAX, stateFilter, targetFilter } from './egress-event.ts';
import { exportedEvent } from './egress-records.ts';

export const IMPORT_EVENTS_MAX = 10_000;
const EVENTS_EXPECTED = `expected a list of at most ${IMPORT_EVENTS_MAX} exported events`;

export const egressTransferContract = {
  exportEvents: declareCall({
    method: 'get',
    path: '/egress/export',
    access: 'edit_pipelines',
    audit: ['egress.export'],
    summary: 'Export stored events',
    description: 'Downloads stored events as JSON Lines, oldest first. Without `state` these are the dead letters.',
    query: z.strictObject({ state: stateFilter.default('dead'), target: targetFilter.optional() }),
    response: null,
    contentType: 'application/jsonl',
  }),
  importEvents: declareCall({
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
    response: z.strictObject({ imported: z.number(), skipped: z.number() }),
  }),
};
