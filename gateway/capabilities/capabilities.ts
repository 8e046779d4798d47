import { join } from 'node:path';
import { maskKeys } from '#common/api-key.ts';
import type { DiskWriter, GatewayCalls, GatewayStats } from '#common/control/messages.ts';
import type { ProjectResources } from '#common/model/resources.ts';
import type { Settings } from '#common/model/settings.ts';
import type { Logger } from '#common/node/log.ts';
import { gatewayFolder } from '#common/node/permissions.ts';
import type { WriteStop } from '#common/model/write-stop.ts';
import { scopeMask } from '#common/scopes.ts';
import { TargetGuard } from '#net/target-guard.ts';
import type { ScriptService } from '#sdk';
import type { Capability } from './contract.ts';
import { createDatabases } from './db/databases.ts';
import { DiskMeter, type DiskRoom } from './disk-meter.ts';
import { CapabilityBroker } from './capability-broker.ts';
import { createFiles } from './files/files.ts';
import { callForPerson, withAdminErrors } from './for-person.ts';
import { createHistorian } from './historian/historian.ts';
import { createHttp } from './http/http.ts';
import { MessageBus, messageCapability } from './messages/bus.ts';
import { Pace } from './pace.ts';
import { grantsPrincipal } from './principal.ts';
import { createScripts } from './scripts/scripts.ts';
import type { Tags } from './tags/contract.ts';
import { DeviceDrivers } from './tags/devices/device-drivers.ts';
import { createTags } from './tags/tags.ts';
import { testConnection } from './test-connection.ts';
import { createVariables } from './variables/variables.ts';
import { type WriteJournal, WriteLog } from './write-log.ts';
import { CALL_WRITES } from './writes/planned-write.ts';

export interface CapabilityParts {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly scripts: ScriptService;
  readonly log: Logger;
  readonly journal: WriteJournal;
  onDiskWriters(writers: DiskWriter[]): void;
  /**
   * A deep copy that shares no object with the original, and its estimated size; throws NodeError if it cannot be
   * copied.
   */
  copy(payload: unknown): { readonly payload: unknown; readonly bytes: number };
}

/** Operations that the admin API uses in addition to capability calls. Each throws SluiceError. */
export type Trials = {
  readonly [C in 'connection-test' | 'database-schema' | 'query-test' | 'script-test' | 'script-check']: (
    args: GatewayCalls[C]['args'],
  ) => Promise<GatewayCalls[C]['value']>;
};

/** The capability broker and all modules behind it. */
export interface CapabilitySet {
  readonly door: CapabilityBroker;
  readonly writes: WriteLog;
  readonly bus: MessageBus;
  readonly pace: Pace;
  readonly tags: Tags;
  readonly disk: DiskRoom;
  readonly trials: Trials;
  /** A call for a user (docs/spec/admin-api.md#calls), through the same broker with every scope. */
  forPerson(call: GatewayCalls['capability']['args']): Promise<unknown>;
  /** For the metrics. */
  figures(): Pick<GatewayStats, 'devices' | 'databases'>;
  /** The current resources of a project; null: the project was deleted. */
  configure(project: string, resources: ProjectResources | null): Promise<void>;
  /** The stops of writes of all projects. */
  stopWrites(stops: readonly WriteStop[]): Promise<void>;
  /** Resolves when the settings are in effect everywhere, within the 2 s of an acknowledgement. */
  settings(settings: Settings): Promise<void>;
  close(): Promise<void>;
}

/** Created from top to bottom and closed from the bottom up, so that no module uses one that is already closed. */
export function openCapabilities(parts: CapabilityParts): CapabilitySet {
  const { dataDir, log, scripts: service } = parts;
  let { settings } = parts;
  const disk = new DiskMeter({
    folder: gatewayFolder(dataDir),
    reserveBytes: () => settings.diskReserveBytes,
    onWriters: parts.onDiskWriters,
  });
  const guard = new TargetGuard(settings.allowedInternalTargets);
  const pace = new Pace();
  const bus = new MessageBus(pace);
  const devices = new DeviceDrivers({ dataDir, log, allowed: settings.allowedInternalTargets });
  const tags = createTags({ dataDir, guard, disk, log, providers: devices.providers });
  const databases = createDatabases({ dataDir, guard, log, disk });
  const scripts = createScripts({ scripts: service, door: () => door });
  const capabilities: Capability<never>[] = [
    logCapability,
    tags,
    createHistorian({
      file: join(dataDir, 'history.sqlite'),
      tags,
      log,
      diskReserveBytes: () => settings.diskReserveBytes,
      disk,
    }),
    databases,
    createVariables({ dataDir, log, disk }),
    createFiles({ dataDir, log, disk }),
    messageCapability(bus, parts.copy),
    createHttp(guard),
    scripts,
  ];
  const writes = new WriteLog(parts.journal, settings.journalWrites);
  const door = new CapabilityBroker(capabilities, writes);
  return {
    door,
    writes,
    bus,
    pace,
    tags,
    disk,
    trials: {
      'connection-test': ({ connection }) => testConnection({ databases, devices }, connection),
      'database-schema': ({ project, connection }) => withAdminErrors(databases.schema(project, connection)),
      'query-test': ({ project, query, params, readOnly, who }) => {
        const planned = readOnly ? [] : CALL_WRITES['db.sql']({ ...query, params: {} }, () => null);
        const origin = { ...who, trigger: 'test' };
        const context = { project, pipeline: '', node: '', origin: () => origin, mask: maskKeys };
        const perform = () => databases.tryQuery(project, query, params, readOnly);
        const work = { perform, resultOf: () => ({}), lookUp: () => null };
        return withAdminErrors(writes.around(planned, context, new AbortController().signal, work));
      },
      'script-test': async ({ project, script, args, scopes, who }) => {
        const principal = grantsPrincipal(scopeMask(scopes));
        const { result, lines } = await withAdminErrors(scripts.testScript(project, script, args, principal, who));
        return { value: result, lines: [...lines] };
      },
      'script-check': async ({ script }) => ({ fault: await scripts.faultOf(script) }),
    },
    forPerson: (call) => callForPerson(door, log, call),
    figures: () => ({ devices: tags.devices(), databases: databases.figures() }),
    stopWrites: (stops) => tags.stopWrites(stops),
    async configure(project, resources) {
      for (const capability of capabilities) await capability.configure?.(project, resources);
      if (resources === null) disk.forget(project);
    },
    async settings(next) {
      settings = next;
      writes.mode = next.journalWrites;
      guard.configure(next.allowedInternalTargets);
      await devices.settings(next.allowedInternalTargets);
    },
    async close() {
      disk.close();
      writes.close();
      for (const capability of capabilities.toReversed()) await capability.close();
      await devices.close();
    },
  };
}

const logCapability: Capability<'log'> = {
  calls: {
    log: ({ message, level }, context) => {
      context.log(level, message);
      return null;
    },
  },
  close: () => Promise.resolve(),
};
