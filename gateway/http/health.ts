import type { GatewayContext } from './gateway-context.ts';
import type { HealthCheck } from './health-paths.ts';
import { closingRefusal } from './refusal.ts';

/**
 * The health check for a request. A running route with the same path takes precedence, so that an update of Sluice does
 * not break a route for its callers.
 */
export function healthCheckOf({ health, table }: GatewayContext, method: string, path: string): HealthCheck | null {
  const check = path === health.live ? 'live' : path === health.ready ? 'ready' : null;
  if (check === null || (method !== 'GET' && method !== 'HEAD')) return null;
  return table.find(method, path) === null ? check : null;
}

/**
 * The whole response. It contains only the status, because anyone in the network can request it. It closes its
 * connection, as a refusal does, so that a caller without a key holds no socket and sends no further request on it.
 */
export function healthAnswer(edge: GatewayContext, check: HealthCheck, requestId: string, isHead: boolean): string {
  const isOk = check === 'live' || isReady(edge);
  const lines = ['Content-Type', 'application/json', 'Cache-Control', 'no-store', 'X-Request-Id', requestId];
  const reply = { status: isOk ? 200 : 503, lines, body: isOk ? '{"status":"ok"}' : '{"status":"unavailable"}' };
  return closingRefusal(reply, !isHead);
}

/** Whether a call with a key can be served now. The port is open only while the published pipelines are in service. */
function isReady({ draining, journal, keys }: GatewayContext): boolean {
  return !draining && journal.state === 'ok' && !keys.refuseAll;
}
