import { type PipelineTemplate, receive } from './template.ts';

export const readTags: PipelineTemplate = {
  id: 'read-tags',
  open: [{ node: 'read', field: 'tags', example: ['line7/speed'] }],
  call: {
    method: 'GET',
    reply: { status: 200, body: { path: 'line7/speed', value: 120, quality: 'good' } },
  },
  nodes: [
    receive('GET', ['tag:read']),
    { id: 'read', kind: 'tag-read', settings: { tags: [], into: 'payload.body' } },
    { id: 'reply', kind: 'http-response', settings: { status: 200 } },
  ],
  wires: ['receive out read', 'read out reply'],
};
