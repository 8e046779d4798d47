import type { PipelineRecord } from '#common/model/records.ts';
import type { Scope } from '#common/scopes.ts';
import { opens, routesOf } from '#ui/routes-of.ts';

/** Where callers reach the gateway: scheme and host from the settings, the port that it listens on now. */
export function gatewayUrl(baseUrl: string, port: number): string {
  return `${baseUrl}:${port}`;
}

/**
 * A curl line for the first running route that the key opens, or null without one. `:name` parts become `1`, a body
 * is an empty JSON object: the shape is right, the values are the caller's.
 */
export function callLine(
  pipelines: readonly PipelineRecord[],
  scopes: readonly Scope[],
  url: string,
  key: string,
): string | null {
  const running = pipelines.filter((pipeline) => pipeline.state === 'running');
  const route = running.flatMap(routesOf).find((one) => !one.isPublic && opens(one, scopes));
  if (route === undefined) return null;
  const method = route.method === '*' ? 'GET' : route.method;
  const path = route.pattern.replace(/\/:[A-Za-z0-9_]+/g, '/1');
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const body = method === 'GET' || method === 'DELETE' ? '' : ` \\\n  -H 'Content-Type: application/json' -d '{}'`;
  return `curl -i${verb} '${url}${path}' \\\n  -H 'X-API-Key: ${key}'${body}`;
}
