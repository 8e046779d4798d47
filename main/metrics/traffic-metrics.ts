import { STATUS_CLASSES } from '#common/control/traffic.ts';
import { DURATION_BOUNDS, type RouteTotal, type RouteTotals } from '../traffic/route-totals.ts';
import { histogram, type Labels, metric, type Sample } from './prometheus.ts';

/** The host's totals since its start: they increase across restarts of the gateway. */
export function trafficMetrics(totals: Pick<RouteTotals, 'unrouted' | 'list'>): string[] {
  const routes = totals.list();
  return [
    ...metric(
      'sluice_gateway_unrouted_total',
      'counter',
      'Requests that were refused before a route was found for them.',
      [[{}, totals.unrouted]],
    ),
    ...metric(
      'sluice_route_responses_total',
      'counter',
      'Responses by class of status, refusals included.',
      routes.flatMap((route) =>
        STATUS_CLASSES.map((code, at): Sample => [{ ...labelsOf(route), code }, route.statuses[at] ?? 0]),
      ),
    ),
    ...histogram(
      'sluice_route_duration_seconds',
      'Time from the first byte of a request to its answer, for calls that ran; bounds are exact to 5 percent.',
      DURATION_BOUNDS,
      routes.map((route) => ({ labels: labelsOf(route), buckets: route.buckets, sum: route.durationSeconds })),
    ),
  ];
}

function labelsOf({ project, pipeline, node, method, route }: RouteTotal): Labels {
  return { project, pipeline, node, method, route };
}
