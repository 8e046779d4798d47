import type { PipelineTemplate } from './template.ts';

export const writeTag: PipelineTemplate = {
  id: 'write-tag',
  texts: {
    en: {
      title: 'Write a tag with validation',
      about: 'Checks a number and writes it to a tag; 400 for a bad value, 503 if the source refuses it.',
    },
    de: {
      title: 'Tag mit Prüfung schreiben',
      about: 'Prüft eine Zahl und schreibt sie in einen Tag; 400 bei falschem Wert, 503 wenn die Quelle ablehnt.',
    },
  },
  open: [{ node: 'write', field: 'writes.0.tag', example: 'line7/setpoint' }],
  call: {
    method: 'POST',
    path: '/api/v1/{pipeline}',
    body: { value: 118.5 },
    reply: { status: 200, body: { written: true } },
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
        requiredScopes: ['tag:write'],
      },
    },
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
