import { type PipelineTemplate, receive } from './template.ts';

export const countCalls: PipelineTemplate = {
  id: 'count-calls',
  open: [],
  call: { method: 'POST', body: {}, reply: { status: 200, body: { count: 1 } } },
  nodes: [
    receive('POST', ['vars:write']),
    {
      id: 'count',
      kind: 'variable-write',
      settings: { name: '{pipeline}/count', increment: 1, into: 'payload.body.count' },
    },
    { id: 'reply', kind: 'http-response', settings: { status: 200 } },
    { id: 'clear', kind: 'set', settings: { assign: [{ path: 'payload.body', value: {} }] } },
  ],
  wires: ['receive out clear', 'clear out count', 'count out reply'],
};
