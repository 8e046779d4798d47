import { type PipelineTemplate, receive } from './template.ts';

export const scriptCall: PipelineTemplate = {
  id: 'script-call',
  open: [{ node: 'run', field: 'script', example: 'scale' }],
  call: { method: 'POST', body: { value: 21 }, reply: { status: 200, body: { value: 21, result: 42 } } },
  nodes: [
    receive('POST', ['script:execute']),
    {
      id: 'run',
      kind: 'script',
      settings: { script: '', args: { body: '{{payload.body}}' }, into: 'payload.body.result' },
    },
    { id: 'reply', kind: 'http-response', settings: { status: 200 } },
    { id: 'reply-failed', kind: 'http-response', settings: { status: 500, body: { error: 'script' } } },
  ],
  wires: ['receive out run', 'run out reply', 'run error reply-failed'],
};
