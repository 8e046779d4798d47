import { type PipelineTemplate, receive } from './template.ts';

export const writeTag: PipelineTemplate = {
  id: 'write-tag',
  open: [{ node: 'write', field: 'writes.0.tag', example: 'line7/setpoint' }],
  call: { method: 'POST', body: { value: 118.5 }, reply: { status: 200, body: { written: true } } },
  nodes: [
    receive('POST', ['tag:write']),
    {
      id: 'check',
      kind: 'validate',
      settings: { schema: { type: 'object', required: ['value'], properties: { value: { type: 'number' } } } },
    },
    { id: 'write', kind: 'tag-write', settings: { writes: [{ tag: '', from: 'payload.body.value' }] } },
    { id: 'reply', kind: 'http-response', settings: { status: 200, body: { written: true } } },
    { id: 'reply-invalid', kind: 'http-response', settings: { status: 400 } },
    { id: 'reply-failed', kind: 'http-response', settings: { status: 503, body: { error: 'tag_not_written' } } },
  ],
  wires: [
    'receive out check',
    'check out write',
    'check invalid reply-invalid',
    'write out reply',
    'write error reply-failed',
  ],
};
