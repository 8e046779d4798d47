import { historyContract } from '#common/contract/history.ts';
import { defineCall } from './call.ts';
import { capabilityPage } from './capability-page.ts';

/**
 * Recorded values for display: enough for a chart, but limited so that a page does not delay the callers of the
 * gateway. Pipelines query the historian directly, with separate limits.
 */

export const historyCalls = [
  defineCall(historyContract.read, {
    handle: (services, context) => capabilityPage(services, context, 'historian.query', context.body),
  }),
];
