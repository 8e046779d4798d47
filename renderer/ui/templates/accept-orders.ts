import { type PipelineTemplate, receive } from './template.ts';

export const acceptOrders: PipelineTemplate = {
  id: 'accept-orders',
  open: [],
  call: { method: 'POST', body: { orderId: 'A-1' }, reply: { status: 201, body: { accepted: 'A-1' } } },
  nodes: [
    receive('POST', [], { rateLimit: 20, burstLimit: 40 }),
    {
      id: 'check',
      kind: 'validate',
      settings: { schema: { type: 'object', required: ['orderId'], properties: { orderId: { type: 'string' } } } },
    },
    {
      id: 'answer',
      kind: 'transform',
      settings: { code: 'export default (msg) => ({ status: 201, body: { accepted: msg.payload.body.orderId } })' },
    },
    { id: 'reply', kind: 'http-response', settings: {} },
  ],
  wires: ['receive out check', 'check out answer', 'answer out reply', 'check invalid reply'],
};
