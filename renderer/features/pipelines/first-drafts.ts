import type { PipelineDefinition } from '#common/model/pipeline.ts';

/** A keyed POST that checks its body and answers 201: what a first pipeline looks like. */
export function samplePipeline(id: string, name: string): PipelineDefinition {
  return { ...emptyPipeline(id, name), nodes: NODES, wires: WIRES };
}

export function emptyPipeline(id: string, name: string): PipelineDefinition {
  return { id, name, runAs: 'caller', grants: [], nodes: [], wires: [] };
}

const NODES: PipelineDefinition['nodes'] = [
  {
    id: 'in',
    kind: 'rest-api',
    position: { x: 0, y: 0 },
    settings: {
      mode: 'ingress',
      method: 'POST',
      urlPattern: '/api/v1/orders',
      authType: 'api_key',
      requiredScopes: [],
      rateLimit: 20,
      burstLimit: 40,
    },
  },
  {
    id: 'check',
    kind: 'validate',
    position: { x: 280, y: 0 },
    settings: { schema: { type: 'object', required: ['orderId'], properties: { orderId: { type: 'string' } } } },
  },
  {
    id: 'make',
    kind: 'transform',
    position: { x: 560, y: 0 },
    settings: { code: 'export default (msg) => ({ status: 201, body: { accepted: msg.payload.body.orderId } })' },
  },
  { id: 'out', kind: 'http-response', position: { x: 840, y: 0 }, settings: {} },
];

const WIRES: PipelineDefinition['wires'] = [
  { from: 'in', port: 'out', to: 'check' },
  { from: 'check', port: 'out', to: 'make' },
  { from: 'check', port: 'invalid', to: 'out' },
  { from: 'make', port: 'out', to: 'out' },
];
