import type { DatabaseFigures, DeviceFigures, GatewayStats, RouteStats } from '#common/control/messages.ts';
import { type Labels, metric, type Sample } from './prometheus.ts';

/** Running routes with their own series. The calls of further routes are summed under the method `other`. */
export const ROUTES_LISTED_MAX = 300;

/** Metrics of the running gateway. */
export function gatewayMetrics(stats: GatewayStats): string[] {
  const { connections, inFlight, bodyBytes, journal, routes, scripts, devices, databases } = stats;
  return [
    ...metric('sluice_gateway_connections', 'gauge', 'Open connections.', [[{}, connections]]),
    ...metric('sluice_gateway_requests_in_flight', 'gauge', 'Requests that are being answered.', [[{}, inFlight]]),
    ...metric(
      'sluice_gateway_body_bytes',
      'gauge',
      'Request bodies: bytes that arrived, and the memory of those in running pipelines, estimated.',
      [[{}, bodyBytes]],
    ),
    ...metric(
      'sluice_journal_ok',
      'gauge',
      '1 while the audit journal can be written; callers with a key get 503 otherwise.',
      [[{}, journal.state === 'ok' ? 1 : 0]],
    ),
    ...metric(
      'sluice_journal_last_row_timestamp_seconds',
      'gauge',
      'When the gateway last wrote to the audit journal.',
      journal.head === null ? [] : [[{}, Date.parse(journal.head.time) / 1000]],
    ),
    ...metric('sluice_script_runs_total', 'counter', 'Runs of scripts, natively or in the sandbox.', [
      [{ engine: 'native' }, scripts.native],
      [{ engine: 'sandbox' }, scripts.sandbox],
    ]),
    ...routeMetrics(routes),
    ...deviceMetrics(devices),
    ...databaseMetrics(databases),
  ];
}

function routeMetrics(routes: readonly RouteStats[]): string[] {
  const listed = routes.slice(0, ROUTES_LISTED_MAX);
  const others = routes.slice(ROUTES_LISTED_MAX);
  const perRoute = (name: string, help: string, value: (route: RouteStats) => number): string[] => {
    const samples = listed.map((route): Sample => [routeLabels(route), value(route)]);
    if (others.length > 0) samples.push([OTHER, others.reduce((sum, route) => sum + value(route), 0)]);
    return metric(`sluice_route_${name}_total`, 'counter', help, samples);
  };
  return [
    ...perRoute('calls', 'Requests that ran.', ({ calls }) => calls),
    ...perRoute('refused', 'Requests that were refused.', ({ refused }) => refused),
    ...perRoute('errors', 'Replies with status 500 or above.', ({ errors }) => errors),
    ...perRoute(
      'errors_with_200',
      'Replies with status 200 whose body has an error.',
      ({ errorsWith200 }) => errorsWith200,
    ),
  ];
}

const OTHER: Labels = { project: 'other', pipeline: 'other', node: 'other', method: 'other', route: 'other' };

function routeLabels({ project, pipeline, node, method, pattern }: RouteStats): Labels {
  return { project, pipeline, node, method, route: pattern };
}

const QUALITIES = ['good', 'uncertain', 'bad'] as const;

function deviceMetrics(devices: readonly DeviceFigures[]): string[] {
  const labelsOf = ({ project, connection, provider }: DeviceFigures): Labels => ({ project, connection, provider });
  return [
    ...metric(
      'sluice_device_up',
      'gauge',
      '1 while at least one tag of the device connection has a value that is not bad.',
      devices.map((device): Sample => [labelsOf(device), device.tags.good + device.tags.uncertain > 0 ? 1 : 0]),
    ),
    ...metric(
      'sluice_device_tags',
      'gauge',
      'Tags of a device connection by the quality of their current value.',
      devices.flatMap((device) =>
        QUALITIES.map((quality): Sample => [{ ...labelsOf(device), quality }, device.tags[quality]]),
      ),
    ),
  ];
}

const SESSION_STATES = ['held', 'idle', 'dialling'] as const;

function databaseMetrics(databases: readonly DatabaseFigures[]): string[] {
  const labelsOf = ({ project, connection }: DatabaseFigures): Labels => ({ project, connection });
  const each = (name: string, help: string, value: (one: DatabaseFigures) => number): string[] =>
    metric(
      `sluice_database_${name}`,
      'gauge',
      help,
      databases.map((one): Sample => [labelsOf(one), value(one)]),
    );
  return [
    ...metric(
      'sluice_database_up',
      'gauge',
      '1 when the last connection attempt to the database server succeeded.',
      databases.flatMap((one): Sample[] => (one.reachable === null ? [] : [[labelsOf(one), one.reachable ? 1 : 0]])),
    ),
    ...metric(
      'sluice_database_sessions',
      'gauge',
      'Sessions of a database connection by state.',
      databases.flatMap((one) => SESSION_STATES.map((state): Sample => [{ ...labelsOf(one), state }, one[state]])),
    ),
    ...each('sessions_max', 'Sessions that a database connection may have.', ({ max }) => max),
    ...each('waiting_calls', 'Calls that wait for a session of a database connection.', ({ waiting }) => waiting),
  ];
}
