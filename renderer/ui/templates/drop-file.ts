import { type PipelineTemplate, receive } from './template.ts';

export const dropFile: PipelineTemplate = {
  id: 'drop-file',
  open: [],
  call: { method: 'POST', body: { label: 'L-1' }, reply: { status: 201, body: { written: true } } },
  nodes: [
    receive('POST', ['file:write']),
    { id: 'write', kind: 'file-write', settings: { path: '{pipeline}/{{request.id}}.json', format: 'json' } },
    { id: 'reply', kind: 'http-response', settings: { status: 201, body: { written: true } } },
    { id: 'reply-failed', kind: 'http-response', settings: { status: 503, body: { error: 'not_written' } } },
  ],
  wires: ['receive out write', 'write out reply', 'write error reply-failed'],
};
