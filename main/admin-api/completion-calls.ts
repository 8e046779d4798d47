import { scriptTypes } from '#common/capabilities/completions.ts';
import { defineCall, WRITTEN } from './call.ts';

export const completionCalls = [
  defineCall({
    method: 'get',
    path: '/completions',
    access: 'view',
    summary: 'Read script types',
    description:
      'Returns the TypeScript declarations of everything that a script can call. Editors use them for completion.',
    response: null,
    contentType: 'text/plain',
    handle(_services, { response }) {
      response.type('text/plain').send(scriptTypes());
      return WRITTEN;
    },
  }),
];
