import { type PipelineTemplate, receive } from './template.ts';

export const serveFiles: PipelineTemplate = {
  id: 'serve-files',
  open: [],
  call: { method: 'GET', path: '/api/v1/{pipeline}/today', reply: { status: 200, body: { recipe: 'R-7' } } },
  nodes: [
    receive('GET', ['file:read'], { urlPattern: '/api/v1/{pipeline}/:name' }),
    {
      id: 'read',
      kind: 'file-read',
      settings: { path: '{pipeline}/{{payload.params.name}}.json', format: 'json', into: 'payload.body' },
    },
    { id: 'reply', kind: 'http-response', settings: { status: 200 } },
    { id: 'reply-none', kind: 'http-response', settings: { status: 404, body: { error: 'not_found' } } },
  ],
  wires: ['receive out read', 'read out reply', 'read error reply-none'],
};
