import { type PipelineTemplate, receive, ROUTE } from './template.ts';

export const serveFiles: PipelineTemplate = {
  id: 'serve-files',
  open: [],
  call: { method: 'GET', below: '/today', reply: { status: 200, body: { recipe: 'R-7' } } },
  nodes: [
    receive('GET', ['file:read'], { urlPattern: `${ROUTE}/:name` }),
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
