import { type PipelineTemplate, receive } from './template.ts';

export const webhook: PipelineTemplate = {
  id: 'webhook',
  open: [],
  call: {
    method: 'POST',
    headers: { 'x-webhook-token': '{token}' },
    body: { event: 'done' },
    reply: { status: 202, body: { received: true } },
  },
  grants: ['vars:read', 'vars:write'],
  nodes: [
    receive('POST', [], { authType: 'none', headerWhitelist: ['x-webhook-token'], rateLimit: 10, burstLimit: 20 }),
    { id: 'token', kind: 'variable-read', settings: { name: '{pipeline}/token', into: 'payload.token' } },
    {
      id: 'compare',
      kind: 'transform',
      settings: {
        code: "export default ({ payload }) => ({\n  body: payload.body,\n  allowed: typeof payload.token === 'string' && payload.token.length >= 16 && payload.headers['x-webhook-token'] === payload.token,\n});\n",
      },
    },
    {
      id: 'allowed',
      kind: 'switch',
      settings: { path: 'payload.allowed', cases: [{ port: 'yes', operator: 'eq', value: true }] },
    },
    { id: 'keep', kind: 'variable-write', settings: { name: '{pipeline}/last', from: 'payload.body' } },
    { id: 'reply', kind: 'http-response', settings: { status: 202, body: { received: true } } },
    { id: 'reply-refused', kind: 'http-response', settings: { status: 401, body: { error: 'token' } } },
  ],
  wires: [
    'receive out token',
    'token out compare',
    'compare out allowed',
    'allowed yes keep',
    'keep out reply',
    'allowed otherwise reply-refused',
  ],
};
