import type { Settings } from '#common/model/settings.ts';

export type HealthCheck = 'live' | 'ready';

/** Paths of the health checks for load balancers; null: that check is off. */
export type HealthPaths = Readonly<Record<HealthCheck, string | null>>;

export function healthPaths({ healthLivePath, healthReadyPath }: Settings): HealthPaths {
  return { live: healthLivePath, ready: healthReadyPath };
}
