import type { FailedStart } from '#common/control/messages.ts';
import { ALARM_CODES } from '#common/alarms/codes.ts';
import type { CertificateFacts } from '#common/model/certificate.ts';
import type { PipelineState } from '#common/model/pipeline.ts';
import type { Alarm } from '#common/model/records.ts';
import type { JournalUsage } from '../contracts.ts';
import { metric, type Sample } from './prometheus.ts';

/** Failed pipelines with their own series; `sluice_pipelines` counts all. */
export const FAILED_LISTED_MAX = 100;

export interface HostFigures {
  version: string;
  /** RFC 3339. */
  startedAt: string;
  gatewayUp: boolean;
  gatewayRestarts: number;
  pipelines: readonly PipelineState[];
  failed: readonly FailedStart[];
  triggerFaults: number;
  alarms: readonly Alarm[];
  /** Null: TLS is off. */
  certificate: CertificateFacts | null;
  /** Null: unknown. */
  journal: JournalUsage | null;
  disk: { freeBytes: number; sizeBytes: number } | null;
}

/** The metrics of the host, which exist without a gateway too. */
export function hostMetrics(figures: HostFigures): string[] {
  const { version, startedAt, gatewayUp, gatewayRestarts, certificate } = figures;
  return [
    ...metric('sluice_build_info', 'gauge', 'Version of Sluice and of Node; always 1.', [
      [{ version, node: process.versions.node }, 1],
    ]),
    ...metric('sluice_start_time_seconds', 'gauge', 'Start time of Sluice since 1970.', [
      [{}, Date.parse(startedAt) / 1000],
    ]),
    ...metric('sluice_gateway_up', 'gauge', '1 while the gateway answers.', [[{}, gatewayUp ? 1 : 0]]),
    ...metric('sluice_gateway_restarts_total', 'counter', 'Restarts of the gateway since Sluice started.', [
      [{}, gatewayRestarts],
    ]),
    ...pipelineMetrics(figures),
    ...metric(
      'sluice_alarms',
      'gauge',
      '1 while an alarm is raised, acknowledged or not.',
      alarmSamples(figures.alarms),
    ),
    ...metric(
      'sluice_certificate_expiry_timestamp_seconds',
      'gauge',
      'End of the certificate on the gateway port; absent without TLS.',
      certificate === null ? [] : [[{ kind: certificate.kind }, Date.parse(certificate.notAfter) / 1000]],
    ),
    ...storageMetrics(figures),
  ];
}

function pipelineMetrics({ pipelines, failed, triggerFaults }: HostFigures): string[] {
  return [
    ...metric(
      'sluice_pipelines',
      'gauge',
      'Pipelines by state.',
      (['running', 'failed', 'stopped'] as const).map((state): Sample => [
        { state },
        pipelines.filter((one) => one === state).length,
      ]),
    ),
    ...metric(
      'sluice_pipeline_failed',
      'gauge',
      '1 for each pipeline that should run and could not start.',
      failed.slice(0, FAILED_LISTED_MAX).map(({ project, pipeline }): Sample => [{ project, pipeline }, 1]),
    ),
    ...metric('sluice_trigger_faults', 'gauge', 'Triggers of running pipelines that do not fire.', [
      [{}, triggerFaults],
    ]),
  ];
}

/** Every alarm code has a sample, so that a query returns 0 instead of nothing. */
function alarmSamples(alarms: readonly Alarm[]): Sample[] {
  const raised = new Set(alarms.map(({ code }) => code));
  const codes = new Set<string>([...ALARM_CODES, ...raised]);
  return [...codes].map((code): Sample => [{ code }, raised.has(code) ? 1 : 0]);
}

function storageMetrics({ journal, disk }: HostFigures): string[] {
  const oldest = journal?.oldest ?? null;
  return [
    ...metric('sluice_journal_bytes', 'gauge', 'Size of the audit journal.', journal ? [[{}, journal.bytes]] : []),
    ...metric(
      'sluice_journal_oldest_row_timestamp_seconds',
      'gauge',
      'Time of the oldest row in the audit journal.',
      oldest === null ? [] : [[{}, Date.parse(oldest) / 1000]],
    ),
    ...metric(
      'sluice_data_disk_free_bytes',
      'gauge',
      'Free bytes on the disk of the data folder.',
      disk ? [[{}, disk.freeBytes]] : [],
    ),
    ...metric(
      'sluice_data_disk_size_bytes',
      'gauge',
      'Size of the disk of the data folder.',
      disk ? [[{}, disk.sizeBytes]] : [],
    ),
  ];
}
