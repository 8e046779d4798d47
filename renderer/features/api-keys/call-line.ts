import type { PipelineRecord } from '#common/model/records.ts';
import type { Scope } from '#common/scopes.ts';
import { curlCall } from '#ui/calls/curl.ts';
import { callPlan } from '#ui/calls/plan.ts';
import { opens, routesOf } from '#ui/routes-of.ts';

/** Where callers reach the gateway: scheme and host from the settings, the port that it listens on now. */
export function gatewayUrl(baseUrl: string, port: number): string {
  return `${baseUrl}:${port}`;
}

/** A curl line for the first running route that the key opens, or null without one. */
export function callLine(
  pipelines: readonly PipelineRecord[],
  scopes: readonly Scope[],
  url: string,
  key: string,
): string | null {
  const running = pipelines.filter((pipeline) => pipeline.state === 'running');
  const route = running.flatMap(routesOf).find((one) => !one.isPublic && opens(one, scopes));
  return route === undefined ? null : curlCall(callPlan(route, url), key);
}
