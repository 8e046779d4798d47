import { type PipelineTemplate, receive, send } from './template.ts';

export const forwardEvents: PipelineTemplate = {
  id: 'forward-events',
  open: [{ node: 'forward', field: 'url', example: 'https://mes.example:8443/events' }],
  call: { method: 'POST', body: { event: 'filled' }, reply: { status: 200, body: { delivered: true } } },
  nodes: [
    receive('POST'),
    send('forward'),
    { id: 'reply', kind: 'http-response', settings: { status: 200, body: { delivered: true } } },
    { id: 'reply-queued', kind: 'http-response', settings: { status: 202, body: { queued: true } } },
    { id: 'reply-failed', kind: 'http-response', settings: { status: 503, body: { error: 'not_accepted' } } },
  ],
  wires: ['receive out forward', 'forward response reply', 'forward queued reply-queued', 'forward error reply-failed'],
};
