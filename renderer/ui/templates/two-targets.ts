import type { PipelineTemplate } from './template.ts';

export const twoTargets: PipelineTemplate = {
  id: 'two-targets',
  open: [
    { node: 'first', field: 'url', example: 'https://mes.example:8443/events' },
    { node: 'second', field: 'url', example: 'https://erp.example:8443/events' },
  ],
  call: {
    method: 'POST',
    path: '/api/v1/{pipeline}',
    body: { event: 'filled' },
    reply: { status: 202, body: { accepted: true } },
  },
  nodes: [
    {
      id: 'receive',
      kind: 'rest-api',
      settings: {
        mode: 'ingress',
        method: 'POST',
        urlPattern: '/api/v1/{pipeline}',
        authType: 'api_key',
        requiredScopes: [],
      },
    },
    { id: 'keep', kind: 'set', settings: { assign: [{ path: 'payload.event', from: 'payload.body' }] } },
    {
      id: 'first',
      kind: 'rest-api',
      settings: { mode: 'egress', url: '', method: 'POST', staticHeaders: {}, timeout: 5 },
    },
    { id: 'restore', kind: 'set', settings: { assign: [{ path: 'payload.body', from: 'payload.event' }] } },
    {
      id: 'second',
      kind: 'rest-api',
      settings: { mode: 'egress', url: '', method: 'POST', staticHeaders: {}, timeout: 5 },
    },
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
