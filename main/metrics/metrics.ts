import { statfs } from 'node:fs/promises';
import type { PipelineState } from '#common/model/pipeline.ts';
import type { Alarm } from '#common/model/records.ts';
import { processFigures } from '#common/node/process-figures.ts';
import type { Audit, GatewayLink, SettingsStore } from '../contracts.ts';
import type { GatewayTls } from '../tls/gateway-tls.ts';
import type { Collector } from '../traffic/collector.ts';
import { egressMetrics } from './egress-metrics.ts';
import { gatewayMetrics } from './gateway-metrics.ts';
import { hostMetrics } from './host-metrics.ts';
import { processMetrics } from './process-metrics.ts';
import { trafficMetrics } from './traffic-metrics.ts';

/**
 * The metrics as one text, made for each scrape.
 *
 * Limits: one text is made at a time, and concurrent scrapes share it; a part that takes longer than PART_MS_MAX is left
 * out. Series: by route TOTALS_MAX and ROUTES_LISTED_MAX, by target TARGETS_LISTED_MAX, by connection
 * FIGURES_MAX, by failed pipeline FAILED_LISTED_MAX.
 * Security: names of projects, pipelines, routes, connections and targets; no values, no keys, no error messages.
 */
export interface Metrics {
  /** Prometheus text format. Without a gateway, `sluice_gateway_up` is 0 and its own metrics are absent. */
  text(): Promise<string>;
}

export interface MetricsParts {
  version: string;
  /** RFC 3339. */
  startedAt: string;
  dataDir: string;
  gateway: Pick<GatewayLink, 'call' | 'restarts' | 'failed' | 'triggerFaults'>;
  collector: Pick<Collector, 'tick' | 'totals'>;
  settings: Pick<SettingsStore, 'current'>;
  tls: Pick<GatewayTls, 'facts'>;
  audit: Pick<Audit, 'usage'>;
  pipelines: () => PipelineState[];
  alarms: () => Alarm[];
  now: () => number;
}

/** Below the default scrape timeout of Prometheus, 10 s. */
const PART_MS_MAX = 3_000;

export function createMetrics(parts: MetricsParts): Metrics {
  let making: Promise<string> | null = null;
  return {
    text: () => (making ??= make(parts).finally(() => (making = null))),
  };
}

async function make(parts: MetricsParts): Promise<string> {
  const { gateway, collector, settings, tls, now } = parts;
  const [stats, egress, journal, disk] = await Promise.all([
    inTime(gateway.call('stats', {})),
    inTime(gateway.call('egress-state', {})),
    inTime(parts.audit.usage()),
    inTime(diskOf(parts.dataDir)),
    // The gateway sends its counts once a second: fetch those since then.
    inTime(collector.tick()),
  ]);
  const current = settings.current();
  const lines = [
    ...hostMetrics({
      version: parts.version,
      startedAt: parts.startedAt,
      gatewayUp: stats !== null,
      gatewayRestarts: gateway.restarts,
      pipelines: parts.pipelines(),
      failed: gateway.failed,
      triggerFaults: gateway.triggerFaults.length,
      alarms: parts.alarms(),
      certificate: current.tls === 'off' ? null : tls.facts(current),
      journal,
      disk,
    }),
    ...processMetrics(processFigures(), stats?.process ?? null),
    ...trafficMetrics(collector.totals),
    ...(stats === null ? [] : gatewayMetrics(stats)),
    ...(egress === null ? [] : egressMetrics(egress, now())),
  ];
  return `${lines.join('\n')}\n`;
}

/** Null if it fails or takes too long. */
async function inTime<T>(part: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), PART_MS_MAX);
  try {
    return await Promise.race([part.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function diskOf(folder: string): Promise<{ freeBytes: number; sizeBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}
