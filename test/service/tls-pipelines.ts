import { fixedReply, type PipelineInput, routePipeline } from '#test/route-pipeline.ts';

const OPEN = { authType: 'none' };
export const BIG_REPLY_BYTES = 8 * 1024 * 1024;

const ingress = (id: string, urlPattern: string, settings: Record<string, unknown> = {}) => ({
  id,
  kind: 'rest-api',
  settings: { mode: 'ingress', method: '*', urlPattern, ...settings },
});

/** The routes of the TLS tests; `count` has every route that the table of strict HTTP uses. */
export function pipelines(): PipelineInput[] {
  const count = routePipeline({ id: 'count', method: '*' as const, path: '/count', ...fixedReply('counted') });
  const more = [
    ingress('items', '/items/:id'),
    ingress('read', '/read', { method: 'GET' }),
    ingress('elsewhere', '/elsewhere', { allowedIps: '10.0.0.0/8' }),
    ingress('scoped', '/scoped', { requiredScopes: 'db:write' }),
    ingress('small', '/small', { maxPayloadSize: 16 }),
  ];
  count.nodes?.push(...more);
  count.wires?.push(...more.map(({ id }) => ({ from: id, port: 'out', to: 'out' })));
  return [
    count,
    routePipeline({ id: 'big', path: '/big', route: OPEN, ...fixedReply('x'.repeat(BIG_REPLY_BYTES)) }),
    routePipeline({
      id: 'slow',
      path: '/slow',
      route: OPEN,
      middle: [{ kind: 'delay', settings: { seconds: 1 } }],
    }),
  ];
}
