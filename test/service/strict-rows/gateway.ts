import { startGateway, type TestGateway } from '#test/gateway.ts';
import type { TestKey } from '#test/make-key.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';

/** The routes that the rows speak of, all of one pipeline, so that whatever runs is seen in one place. */
export function startStrictGateway(key: TestKey): Promise<TestGateway> {
  const ingress = (id: string, urlPattern: string, settings: Record<string, unknown> = {}) => ({
    id,
    kind: 'rest-api',
    settings: { mode: 'ingress', method: '*', urlPattern, ...settings },
  });
  const pipeline = routePipeline({ id: 'count', method: '*' as const, path: '/count', ...fixedReply('counted') });
  const others = [
    ingress('items', '/items/:id'),
    ingress('read', '/read', { method: 'GET' }),
    ingress('elsewhere', '/elsewhere', { allowedIps: '10.0.0.0/8' }),
    ingress('scoped', '/scoped', { requiredScopes: 'db:write' }),
    ingress('small', '/small', { maxPayloadSize: 16 }),
  ];
  pipeline.nodes?.push(...others);
  pipeline.wires?.push(...others.map(({ id }) => ({ from: id, port: 'out', to: 'out' })));
  return startGateway({ pipelines: [pipeline], keys: [key] });
}
