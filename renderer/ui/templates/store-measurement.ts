import { type PipelineTemplate, receive } from './template.ts';

export const storeMeasurement: PipelineTemplate = {
  id: 'store-measurement',
  open: [],
  call: { method: 'POST', body: { line: '7', grams: 512.5 }, reply: { status: 201, body: { stored: true } } },
  nodes: [
    receive('POST', ['db:write']),
    {
      id: 'check',
      kind: 'validate',
      settings: {
        schema: {
          type: 'object',
          required: ['line', 'grams'],
          properties: { line: { type: 'string' }, grams: { type: 'number' } },
        },
      },
    },
    {
      id: 'store',
      kind: 'transaction',
      settings: {
        statements: [
          { sql: 'CREATE TABLE IF NOT EXISTS measurements (line TEXT, grams REAL, taken_at TEXT)' },
          {
            sql: 'INSERT INTO measurements (line, grams, taken_at) VALUES (:line, :grams, :takenAt)',
            params: {
              line: '{{payload.body.line}}',
              grams: '{{payload.body.grams}}',
              takenAt: '{{request.receivedAt}}',
            },
          },
        ],
      },
    },
    { id: 'reply', kind: 'http-response', settings: { status: 201, body: { stored: true } } },
    { id: 'reply-invalid', kind: 'http-response', settings: { status: 400 } },
    { id: 'reply-failed', kind: 'http-response', settings: { status: 503, body: { error: 'not_stored' } } },
  ],
  wires: [
    'receive out check',
    'check out store',
    'check invalid reply-invalid',
    'store out reply',
    'store error reply-failed',
  ],
};
