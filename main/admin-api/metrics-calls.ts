import type { GatewayStats, RouteStats } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { EgressState } from '#common/model/egress.ts';
import { defineCall, type Services, unknown, WRITTEN } from './call.ts';
import { egressMetrics } from './egress-metrics.ts';
import { sameText } from './guards.ts';
import { pipelineStates } from './pipeline-record.ts';
import { type Labels, metric, type Sample } from './prometheus.ts';

const BEARER = /^Bearer ([\x21-\x7e]{1,512})$/i;

export const metricsCalls = [
  defineCall({
    method: 'get',
    path: '/metrics',
    access: 'bearer',
    summary: 'Metrics for Prometheus, with the bearer token that is set as metricsToken; 404 while none is set',
    response: null,
    contentType: 'text/plain',
    async handle(services, { request, response }) {
      const { metricsToken } = services.settings.current();
      if (metricsToken === null) throw unknown('page: metrics are off');
      const given = BEARER.exec(request.headers.authorization ?? '')?.[1];
      if (given === undefined || !sameText(given, metricsToken)) {
        response.set('WWW-Authenticate', 'Bearer');
        throw new SluiceError('no_session', 'Expected the header Authorization: Bearer with the metrics token.');
      }
      const [stats, egress] = await Promise.all([
        services.gateway.call('stats', {}).catch(() => null),
        services.gateway.call('egress-state', {}).catch(() => null),
      ]);
      response.type('text/plain; version=0.0.4; charset=utf-8').send(metricsText(services, stats, egress));
      return WRITTEN;
    },
  }),
];

/** Prometheus text format 0.0.4. Without a gateway, `sluice_gateway_up` is 0 and what only it knows is left out. */
function metricsText(services: Services, stats: GatewayStats | null, egress: EgressState | null): string {
  const { version, gateway } = services;
  const states = pipelineStates(services);
  const count = (wanted: string): number => states.filter((state) => state === wanted).length;
  const lines = [
    ...metric('sluice_info', 'gauge', 'The version that runs.', [[{ version }, 1]]),
    ...metric('sluice_gateway_up', 'gauge', '1 while the gateway answers.', [[{}, stats === null ? 0 : 1]]),
    ...metric('sluice_gateway_restarts_total', 'counter', 'Restarts of the gateway since the host began.', [
      [{}, gateway.restarts],
    ]),
    ...metric(
      'sluice_pipelines',
      'gauge',
      'Pipelines by state.',
      (['running', 'failed', 'stopped'] as const).map((state) => [{ state }, count(state)]),
    ),
    ...(stats === null ? [] : gatewayMetrics(stats)),
    ...(egress === null ? [] : egressMetrics(egress, Date.now())),
  ];
  return `${lines.join('\n')}\n`;
}

function gatewayMetrics(stats: GatewayStats): string[] {
  const perRoute = (value: (route: RouteStats) => number): Sample[] =>
    stats.routes.map((route) => [routeLabels(route), value(route)]);
  return [
    ...metric('sluice_gateway_connections', 'gauge', 'Open connections.', [[{}, stats.connections]]),
    ...metric('sluice_gateway_requests_in_flight', 'gauge', 'Requests that are being answered.', [
      [{}, stats.inFlight],
    ]),
    ...metric('sluice_gateway_body_bytes', 'gauge', 'Bytes of request bodies in memory.', [[{}, stats.bodyBytes]]),
    ...metric('sluice_journal_ok', 'gauge', '1 while the audit journal can be written.', [
      [{}, stats.journal.state === 'ok' ? 1 : 0],
    ]),
    ...metric(
      'sluice_route_calls_total',
      'counter',
      'Requests that ran.',
      perRoute((route) => route.calls),
    ),
    ...metric(
      'sluice_route_refused_total',
      'counter',
      'Requests that were refused.',
      perRoute((route) => route.refused),
    ),
    ...metric(
      'sluice_route_errors_total',
      'counter',
      'Replies with status 500 or above.',
      perRoute((route) => route.errors),
    ),
    ...metric(
      'sluice_route_errors_with_200_total',
      'counter',
      'Replies with status 200 whose body has an error.',
      perRoute((route) => route.errorsWith200),
    ),
  ];
}

function routeLabels({ project, pipeline, node, method, pattern }: RouteStats): Labels {
  return { project, pipeline, node, method, route: pattern };
}
