import { historyContract } from '#common/contract/history.ts';
import { page } from '#common/contract/records.ts';
import { defineCall } from './call.ts';
import { capability } from './capability.ts';
import { projectOf } from './project-calls.ts';

/**
 * Recorded values for display: enough for a chart, and never so many that a page delays the
 * gateway's callers. Pipelines query the historian directly, with its own limits.
 */

export const historyCalls = [
  defineCall(historyContract.read, {
    async handle(services, context) {
      const { id } = projectOf(services, context);
      return page(await capability(services, id, 'historian.query', context.body));
    },
  }),
];
