import { type PipelineTemplate, receive, send } from './template.ts';

export const twoTargets: PipelineTemplate = {
  id: 'two-targets',
  open: [
    { node: 'first', field: 'url', example: 'https://mes.example:8443/events' },
    { node: 'second', field: 'url', example: 'https://erp.example:8443/events' },
  ],
  call: { method: 'POST', body: { event: 'filled' }, reply: { status: 202, body: { accepted: true } } },
  nodes: [
    receive('POST'),
    { id: 'keep', kind: 'set', settings: { assign: [{ path: 'payload.event', from: 'payload.body' }] } },
    send('first'),
    { id: 'restore', kind: 'set', settings: { assign: [{ path: 'payload.body', from: 'payload.event' }] } },
    send('second'),
    { id: 'reply', kind: 'http-response', settings: { status: 202, body: { accepted: true } } },
    { id: 'reply-failed', kind: 'http-response', settings: { status: 503, body: { error: 'not_accepted' } } },
  ],
  wires: [
    'receive out keep',
    'keep out first',
    'first response restore',
    'first queued restore',
    'restore out second',
    'second response reply',
    'second queued reply',
    'first error reply-failed',
    'second error reply-failed',
  ],
};
