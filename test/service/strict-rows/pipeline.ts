import { fixedReply, type PipelineInput, routePipeline } from '#test/route-pipeline.ts';

/** The routes of the rows, all in one pipeline, so that every run is visible in one place. */
export function strictPipeline(): PipelineInput {
  const pipeline = routePipeline({ id: 'count', method: '*' as const, path: '/count', ...fixedReply('counted') });
  const more = [
    ingress('items', '/items/:id'),
    ingress('read', '/read', { method: 'GET' }),
    ingress('elsewhere', '/elsewhere', { allowedIps: '10.0.0.0/8' }),
    ingress('scoped', '/scoped', { requiredScopes: 'db:write' }),
    ingress('small', '/small', { maxPayloadSize: 16 }),
  ];
  pipeline.nodes?.push(...more);
  pipeline.wires?.push(...more.map(({ id }) => ({ from: id, port: 'out', to: 'out' })));
  return pipeline;
}

const ingress = (id: string, urlPattern: string, settings: Record<string, unknown> = {}) => ({
  id,
  kind: 'rest-api',
  settings: { mode: 'ingress', method: '*', urlPattern, ...settings },
});
