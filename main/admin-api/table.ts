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
import { historyCalls } from './history-calls.ts';
import { keyCalls } from './key-calls.ts';
import { metricsCalls } from './metrics-calls.ts';
import { peopleCalls } from './people-calls.ts';
import { pipelineCalls } from './pipeline-calls.ts';
import { pluginCalls } from './plugin-calls.ts';
import { projectFileCalls } from './project-file-calls.ts';
import { projectCalls } from './project-calls.ts';
import { queryCalls } from './query-calls.ts';
import { reachCalls } from './reach-calls.ts';
import { routeCalls } from './route-calls.ts';
import { runCalls } from './run-calls.ts';
import { scriptCalls } from './script-calls.ts';
import { sessionCalls } from './session-calls.ts';
import { settingsCalls } from './settings-calls.ts';
import { setupCalls } from './setup-calls.ts';
import { setupTestCalls } from './setup-test-calls.ts';
import { systemCalls } from './system-calls.ts';
import { tagCalls } from './tag-calls.ts';
import { trafficCalls } from './traffic-calls.ts';
import { variableCalls } from './variable-calls.ts';
import { vaultCalls } from './vault-calls.ts';

/** Every call of the admin API (behaviour 10): what is not here does not exist. */
export const CALLS: readonly Call[] = [
  ...setupCalls,
  ...sessionCalls,
  ...projectCalls,
  ...projectFileCalls,
  ...pipelineCalls,
  ...runCalls,
  ...routeCalls,
  ...connectionCalls,
  ...queryCalls,
  ...tagCalls,
  ...historyCalls,
  ...scriptCalls,
  ...variableCalls,
  ...fileCalls,
  ...completionCalls,
  ...keyCalls,
  ...reachCalls,
  ...auditCalls,
  ...peopleCalls,
  ...systemCalls,
  ...egressTargetCalls,
  ...egressEventCalls,
  ...egressTransferCalls,
  ...trafficCalls,
  ...metricsCalls,
  ...settingsCalls,
  ...certificateCalls,
  ...setupTestCalls,
  ...pluginCalls,
  ...backupCalls,
  ...vaultCalls,
  ...desktopCalls,
];
