import { type PipelineTemplate, receive, ROUTE } from './template.ts';

export const recipeById: PipelineTemplate = {
  id: 'recipe-by-id',
  open: [{ node: 'find', field: 'query', example: 'recipe-by-id' }],
  call: { method: 'GET', below: '/R-7', reply: { status: 200, body: { id: 'R-7', grams: 500 } } },
  nodes: [
    receive('GET', ['db:read'], { urlPattern: `${ROUTE}/:id` }),
    { id: 'find', kind: 'named-query', settings: { query: '', params: { id: '{{payload.params.id}}' } } },
    {
      id: 'found',
      kind: 'switch',
      settings: { path: 'payload.result.rowCount', cases: [{ port: 'none', operator: 'eq', value: 0 }] },
    },
    { id: 'show', kind: 'set', settings: { assign: [{ path: 'payload.body', from: 'payload.result.rows.0' }] } },
    { id: 'reply', kind: 'http-response', settings: { status: 200 } },
    { id: 'reply-none', kind: 'http-response', settings: { status: 404, body: { error: 'not_found' } } },
    { id: 'reply-failed', kind: 'http-response', settings: { status: 503, body: { error: 'database' } } },
  ],
  wires: [
    'receive out find',
    'find out found',
    'found otherwise show',
    'show out reply',
    'found none reply-none',
    'find error reply-failed',
  ],
};
