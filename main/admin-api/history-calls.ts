import { historyContract } from '#common/contract/history.ts';
import { page } from '#common/contract/records.ts';
import { defineCall } from './call.ts';
import { capability } from './capability.ts';
import { projectOf } from './project-calls.ts';

/**
 * Recorded values for a person who looks at them: enough for a drawing, and never so much that a page holds up the
 * gateway's callers. Pipelines ask the historian itself, with its own limits.
 */

export const historyCalls = [
  defineCall(historyContract.read, {
    async handle(services, context) {
      const { id } = projectOf(services, context);
      return page(await capability(services, id, 'historian.query', context.body));
    },
  }),
];
