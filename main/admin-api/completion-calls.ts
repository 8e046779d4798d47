import { scriptTypes } from '#common/capabilities/completions.ts';
import { completionContract } from '#common/contract/completion.ts';
import { defineCall, WRITTEN } from './call.ts';

export const completionCalls = [
  defineCall(completionContract.list, {
    handle(_services, { response }) {
      response.type('text/plain').send(scriptTypes());
      return WRITTEN;
    },
  }),
];
