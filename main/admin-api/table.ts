import { alarmCalls } from './alarm-calls.ts';
import { auditCalls } from './audit-calls.ts';
import { backupCalls } from './backup-calls.ts';
import type { Call } from './call.ts';
import { certificateCalls } from './certificate-calls.ts';
import { completionCalls } from './completion-calls.ts';
import { connectionCalls } from './connection-calls.ts';
import { desktopCalls } from './desktop-calls.ts';
import { egressEventCalls } from './egress-event-calls.ts';
import { egressTargetCalls } from './egress-target-calls.ts';
import { egressTransferCalls } from './egress-transfer-calls.ts';
import { fileCalls } from './file-calls.ts';
import { fleetCalls } from './fleet-calls.ts';
import { historyCalls } from './history-calls.ts';
import { keyCalls } from './key-calls.ts';
import { metricsCalls } from './metrics-calls.ts';
import { peopleCalls } from './people-calls.ts';
import { pipelineCalls } from './pipeline-calls.ts';
import { pluginCalls } from './plugin-calls.ts';
import { presenceCalls } from './presence-calls.ts';
import { projectApplyCalls } from './project-apply-calls.ts';
import { projectFileCalls } from './project-file-calls.ts';
import { projectCalls } from './project-calls.ts';
import { queryCalls } from './query-calls.ts';
import { reachCalls } from './reach-calls.ts';
import { restoreCalls } from './restore-calls.ts';
import { routeCalls } from './route-calls.ts';
import { runCalls } from './run-calls.ts';
import { scriptCalls } from './script-calls.ts';
import { sessionCalls } from './session-calls.ts';
import { settingsCalls } from './settings-calls.ts';
import { setupCalls } from './setup-calls.ts';
import { setupTestCalls } from './setup-test-calls.ts';
import { systemCalls } from './system-calls.ts';
import { tagCalls } from './tag-calls.ts';
import { tokenCalls } from './token-calls.ts';
import { trafficCalls } from './traffic-calls.ts';
import { variableCalls } from './variable-calls.ts';
import { vaultCalls } from './vault-calls.ts';
import { writeStopCalls } from './write-stop-calls.ts';

/** Calls under one tag of the OpenAPI document. */
export interface CallGroup {
  readonly tag: string;
  readonly description: string;
  readonly calls: readonly Call[];
}

export const CALL_GROUPS: readonly CallGroup[] = [
  { tag: 'Set-up', description: 'The first start of an appliance.', calls: setupCalls },
  { tag: 'Session', description: 'Log-in, log-out and your own password.', calls: sessionCalls },
  {
    tag: 'Projects',
    description: 'Projects with their files to export and import.',
    calls: [...projectCalls, ...projectFileCalls, ...projectApplyCalls],
  },
  {
    tag: 'Pipelines',
    description: 'Pipelines with their revisions, checks, starts, tests and runs.',
    calls: [...pipelineCalls, ...runCalls, ...presenceCalls],
  },
  { tag: 'Routes', description: 'Routes that pipelines publish, and their OpenAPI documents.', calls: routeCalls },
  { tag: 'Connections', description: 'Connections to databases and devices.', calls: connectionCalls },
  { tag: 'Named queries', description: 'SQL that pipelines run by name.', calls: queryCalls },
  {
    tag: 'Tags',
    description: 'Live and recorded values of the plant.',
    calls: [...tagCalls, ...historyCalls, ...writeStopCalls],
  },
  { tag: 'Library scripts', description: 'Scripts that pipelines share.', calls: scriptCalls },
  { tag: 'Variables', description: 'Values that pipelines keep between runs.', calls: variableCalls },
  { tag: 'Files', description: "The project's workspace folder.", calls: fileCalls },
  { tag: 'Editor', description: 'Data for the script editor.', calls: completionCalls },
  {
    tag: 'API keys',
    description: 'Keys of callers, and the routes that a key opens.',
    calls: [...keyCalls, ...reachCalls],
  },
  { tag: 'Fleet', description: 'The edges of a hub, or the hub of an edge.', calls: fleetCalls },
  { tag: 'Audit', description: 'The audit journal and the explanation of refusals.', calls: auditCalls },
  {
    tag: 'Users',
    description: 'Users and roles of the admin UI, and service tokens of programs.',
    calls: [...peopleCalls, ...tokenCalls],
  },
  { tag: 'System', description: 'Status, alarms, node kinds and live events.', calls: [...systemCalls, ...alarmCalls] },
  {
    tag: 'Store and forward',
    description: 'Outbound calls that wait for their targets.',
    calls: [...egressTargetCalls, ...egressEventCalls, ...egressTransferCalls],
  },
  { tag: 'Traffic', description: 'Calls and durations, by route, key and node.', calls: trafficCalls },
  { tag: 'Metrics', description: 'Figures for Prometheus.', calls: metricsCalls },
  {
    tag: 'Settings',
    description: 'Gateway settings and the certificate of its port.',
    calls: [...settingsCalls, ...certificateCalls, ...setupTestCalls],
  },
  { tag: 'Plugins', description: 'Node kinds of third parties.', calls: pluginCalls },
  { tag: 'Backup', description: 'Backup and the vault.', calls: [...backupCalls, ...restoreCalls, ...vaultCalls] },
  { tag: 'Desktop', description: 'The desktop window around the host.', calls: desktopCalls },
];

/** Every call of the admin API (docs/spec/admin-api.md#calls); other calls do not exist. */
export const CALLS: readonly Call[] = CALL_GROUPS.flatMap(({ calls }) => calls);
