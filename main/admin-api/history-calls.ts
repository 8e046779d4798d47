import { historyContract } from '#common/contract/history.ts';
import { defineCall } from './call.ts';
import { capabilityPage } from './capability-page.ts';

/**
 * Recorded values for display: enough for a chart, and never so many that a page delays the
 * gateway's callers. Pipelines query the historian directly, with its own limits.
 */

export const historyCalls = [
  defineCall(historyContract.read, {
    handle: (services, context) => capabilityPage(services, context, 'historian.query', context.body),
  }),
];
