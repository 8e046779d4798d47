import type { PipelineTemplate } from './template.ts';

export const scriptCall: PipelineTemplate = {
  id: 'script-call',
  texts: {
    en: {
      title: 'Call a library script',
      about: 'Passes the body of the request to a script of the project and returns its result.',
    },
    de: {
      title: 'Bibliotheksskript aufrufen',
      about: 'Übergibt den Inhalt der Anfrage an ein Skript des Projekts und liefert dessen Ergebnis.',
    },
  },
  open: [{ node: 'run', field: 'script', example: 'scale' }],
  call: {
    method: 'POST',
    path: '/api/v1/{pipeline}',
    body: { value: 21 },
    reply: { status: 200, body: { value: 21, result: 42 } },
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
        requiredScopes: ['script:execute'],
      },
    },
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
