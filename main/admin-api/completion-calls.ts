import { scriptTypes } from '#common/capabilities/completions.ts';
import { defineCall, WRITTEN } from './call.ts';

export const completionCalls = [
  defineCall({
    method: 'get',
    path: '/completions',
    access: 'view',
    summary: 'The TypeScript declarations of what a script can call, for the editor to complete from',
    response: null,
    contentType: 'text/plain',
    handle(_services, { response }) {
      response.type('text/plain').send(scriptTypes());
      return WRITTEN;
    },
  }),
];
