import { alarmContract } from './alarm.ts';
import { auditContract } from './audit.ts';
import { backupContract } from './backup.ts';
import { certificateContract } from './certificate.ts';
import { completionContract } from './completion.ts';
import { connectionContract } from './connection.ts';
import { desktopContract } from './desktop.ts';
import { egressEventContract } from './egress-event.ts';
import { egressTargetContract } from './egress-target.ts';
import { egressTransferContract } from './egress-transfer.ts';
import { fileContract } from './file.ts';
import { fleetContract } from './fleet.ts';
import { historyContract } from './history.ts';
import { keyContract } from './key.ts';
import { metricsContract } from './metrics.ts';
import { peopleContract } from './people.ts';
import { pipelineContract } from './pipeline.ts';
import { pluginContract } from './plugin.ts';
import { presenceContract } from './presence.ts';
import { projectApplyContract } from './project-apply.ts';
import { projectFileContract } from './project-file.ts';
import { projectContract } from './project.ts';
import { queriesContract, queryContract } from './query.ts';
import { reachContract } from './reach.ts';
import { routeContract } from './route.ts';
import { runContract } from './run.ts';
import { scriptContract, scriptsContract } from './script.ts';
import { sessionContract } from './session.ts';
import { settingsContract } from './settings.ts';
import { setupTestContract } from './setup-test.ts';
import { setupContract } from './setup.ts';
import { systemContract } from './system.ts';
import { tagContract } from './tag.ts';
import { tokenContract } from './token.ts';
import { trafficContract } from './traffic.ts';
import { variableContract } from './variable.ts';
import { vaultContract } from './vault.ts';
import { writeStopContract } from './write-stop.ts';

/** Every call of the admin API by area (docs/spec/admin-api.md#calls): a call that is not here does not exist. */
export const CONTRACT = {
  alarm: alarmContract,
  audit: auditContract,
  backup: backupContract,
  certificate: certificateContract,
  completion: completionContract,
  connection: connectionContract,
  desktop: desktopContract,
  egressEvent: egressEventContract,
  egressTarget: egressTargetContract,
  egressTransfer: egressTransferContract,
  file: fileContract,
  fleet: fleetContract,
  history: historyContract,
  key: keyContract,
  metrics: metricsContract,
  people: peopleContract,
  pipeline: pipelineContract,
  plugin: pluginContract,
  presence: presenceContract,
  projectApply: projectApplyContract,
  projectFile: projectFileContract,
  project: projectContract,
  queries: queriesContract,
  query: queryContract,
  reach: reachContract,
  route: routeContract,
  run: runContract,
  scripts: scriptsContract,
  script: scriptContract,
  session: sessionContract,
  settings: settingsContract,
  setupTest: setupTestContract,
  setup: setupContract,
  system: systemContract,
  tag: tagContract,
  token: tokenContract,
  traffic: trafficContract,
  variable: variableContract,
  vault: vaultContract,
  writeStop: writeStopContract,
};
