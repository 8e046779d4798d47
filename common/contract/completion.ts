import { declareCall } from './declaration.ts';

export const completionContract = {
  list: declareCall({
    method: 'get',
    path: '/completions',
    access: 'view',
    summary: 'Read script types',
    description:
      'Returns the TypeScript declarations of everything that a script can call. Editors use them for completion.',
    response: null,
    contentType: 'text/plain',
  }),
};
