import type { z } from 'zod';
import type { KindManifest } from '../control/messages.ts';
import { declareCall } from './declaration.ts';
import { kindManifest, listOf, statusRecord } from './records.ts';

export const systemContract = {
  status: declareCall({
    method: 'get',
    path: '/status',
    access: 'view',
    summary: 'Read the status',
    description: 'Shows version, state of the gateway, number of running and failed pipelines, and all active alarms.',
    response: statusRecord,
  }),
  listKinds: declareCall({
    method: 'get',
    path: '/kinds',
    access: 'view',
    summary: 'List node kinds',
    description:
      'Lists the node kinds that the gateway can run, those of plugins included, with the JSON Schema of their settings.',
    response: listOf(kindManifest as unknown as z.ZodType<KindManifest>),
  }),
  events: declareCall({
    method: 'get',
    path: '/events',
    access: 'view',
    summary: 'Stream live events',
    description:
      'Sends Server-Sent Events as they happen: `state`, `changed`, `journal`, `pipeline-warning`, `trigger-faults` and `refused`. A session gets only the events that its permissions allow.',
    response: null,
    contentType: 'text/event-stream',
  }),
};
