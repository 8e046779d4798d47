import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Alarm } from '#common/model/records.ts';
import type { Settings } from '#common/model/settings.ts';
import { freeBytesOf } from '#common/node/disk-space.ts';
import { releaseIdleMemory } from '#common/node/idle-memory.ts';
import type { Logger } from '#common/node/log.ts';
import { VERSION } from '#common/version.ts';
import { createAdminApi, createServices } from './admin-api/app.ts';
import { stopOf, stopPhrase } from './admin-api/held-change.ts';
import { keepPart } from './admin-api/perform-restriction.ts';
import { pipelineStates } from './admin-api/pipeline-record.ts';
import type { HubPlace } from './fleet/hub-state.ts';
import { usableGatewayUrl } from './host/address.ts';
import { createBallast } from './disk/ballast.ts';
import { setDiskAlarms, watchDiskWriters } from './disk/disk-alarms.ts';
import { UploadWriters } from './disk/upload-writers.ts';
import { createDiskWatch } from './disk/disk-watch.ts';
import { CACHE_FOLDER } from './disk/start-room.ts';
import { openAlarmFile } from './host/alarm-file.ts';
import { createAlarms, settleLater } from './host/alarms.ts';
import { setCallersAlarms } from './host/caller-alarms.ts';
import { machineOf } from './host/machine.ts';
import { commandHandler } from './host/commands.ts';
import { openControlSocket } from './host/control-socket.ts';
import { RestoreUpload, type WantedRestore } from './host/restore-upload.ts';
import { fleetPort, type HostFleet } from './host/fleet-port.ts';
import { leaveFleet } from './host/leave-fleet.ts';
import { expectFreePorts } from './host/free-ports.ts';
import { listenForUi } from './host/listen-for-ui.ts';
import type { DesktopPort, StoredStart } from './contracts.ts';
import { createShellView, type ShellView } from './host/shell-view.ts';
import { createClosers } from './host/closers.ts';
import { restartPipeline } from './host/restart-pipeline.ts';
import { recordFailedRestore } from './host/journal-restores.ts';
import { verifyNightly } from './host/nightly-verification.ts';
import { logHeads, recordHeadsHourly } from './host/hourly-heads.ts';
import { openData } from './host/open-data.ts';
import { setStateAlarms, watchGateway } from './host/standing-alarms.ts';
import { setWriteStopAlarm } from './host/write-stop-alarm.ts';
import { setKeyAlarms, watchKeySightings } from './host/key-sightings.ts';
import { Quarantine } from './host/quarantine.ts';
import { setQuarantineAlarms } from './host/quarantine-alarm.ts';
import { targetNames } from './host/target-names.ts';
import { setUnsavedAlarms } from './host/unsaved-alarm.ts';
import { HELD_PURPOSE, openHeldFile } from './host/held-file.ts';
import { createUnsavedChanges } from './host/unsaved-changes.ts';
import { setMetricsAlarms } from './metrics/metrics-alarm.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createScrapeAddress } from './metrics/scrape-address.ts';
import { setCertificateAlarms } from './tls/certificate-alarms.ts';
import { setPluginsAlarms } from './third-party/plugin-alarms.ts';
import { createPluginControl } from './third-party/plugin-control.ts';
import { createStoredRoutes } from './projects/stored-routes.ts';
import { fleetPepper, fleetRole } from './vault/fleet-secrets.ts';
import { createPublisher } from './publish/publisher.ts';
import { makeGatewayFolders } from '#common/node/permissions.ts';
import { forkGateway, type StartChild } from './supervisor/child.ts';
import { createSupervisor, type Supervisor } from './supervisor/supervisor.ts';
import { BacklogHistory } from './traffic/backlog.ts';
import { Collector } from './traffic/collector.ts';
import { TrafficFigures } from './traffic/figures.ts';
import type { SecretStoreMode } from './keychain/secret-store.ts';

/**
 * The host (docs/ARCHITECTURE.md): everything except the window. This file only composes the parts, from top
 * to bottom.
 */
export interface HostOptions {
  dataDir: string;
  secretStore: SecretStoreMode;
  /** Flags and environment variables, which take precedence over the saved settings. */
  overrides: Partial<Settings>;
  log: Logger;
  /** The data folder is deleted when the host ends. */
  demo?: boolean;
  /** An installed package; false for a checkout. */
  packaged?: boolean;
  /** How gateways are started; default: `fork`. */
  startGateway?: StartChild;
  /** The window around the host; absent in service mode. */
  desktop?: DesktopPort;
  /** Makes this machine the hub of a fleet, if it is not yet; changes where it listens. */
  hub?: Partial<HubPlace>;
  /** A user confirmed a restore and it failed: the journal gets its row. */
  failedRestore?: { user: string };
}

export interface Host {
  /** Resolves when both ports are open; rejects if the port of the gateway cannot be opened. */
  readonly ready: Promise<void>;
  /** Usable after `ready`. */
  addresses(): { gatewayUrl: string; uiUrl: string; setupTokenFile: string | null };
  /** The state for the window of the host. */
  readonly view: ShellView;
  /** Resolves when a user has confirmed a restore: stop the host, `carryOut`, start another host. */
  readonly restoreWanted: Promise<WantedRestore>;
  stop(): Promise<void>;
}

const GATEWAY_ENTRY = fileURLToPath(new URL('../gateway/entry.ts', import.meta.url));
const CONFINE = fileURLToPath(new URL('../gateway/confine/confine.ts', import.meta.url));
const UI_FOLDER = fileURLToPath(new URL('../renderer/dist', import.meta.url));
const DOCS_FOLDER = fileURLToPath(new URL('../dist/docs', import.meta.url));

/** Throws VaultError or SluiceError with a plain sentence if the data or the UI's port cannot be opened. */
export async function startHost(options: HostOptions): Promise<Host> {
  const { log, dataDir } = options;
  const startedAt = new Date().toISOString();
  await expectFreePorts(dataDir, options.overrides);
  const data = await openData(options);
  const { settings, tls, keys, projects, secrets, resources, removeProjectFolder, pluginStore, people, audit, vault } =
    data;
  const closers = createClosers(log);
  closers.push('data', async () => {
    await data.close();
    logHeads(data.vault, data.audit, log);
  });

  try {
    // A restored vault may have TLS on without a certificate.
    await tls.ensure(settings.current(), 'Sluice');
    if (options.hub) await (await import('./fleet/hub-state.ts')).becomeHub(vault, options.hub);
    const role = vault.read(fleetRole);
    // An edge that starts does not know yet what its hub has revoked.
    const fleetKeys = { pepper: () => vault.read(fleetPepper), refused: role === 'edge' };
    const publisher = createPublisher({
      ...data,
      dataDir,
      fleetKeys,
      lastPort: () => gateway.lastPort,
      lastPlainPort: () => gateway.lastPlainPort,
    });
    makeGatewayFolders(dataDir);
    const gateway: Supervisor = createSupervisor({
      startChild:
        options.startGateway ??
        forkGateway(GATEWAY_ENTRY, {
          compileCacheFolder: data.diskFull ? undefined : join(dataDir, CACHE_FOLDER),
          confined: { confine: CONFINE, dataDir },
        }),
      snapshot: publisher.snapshot,
      outgoing: publisher.outgoing,
      onHead: (head, clean) => audit.head(head, clean),
      onJournalOpened: (found) => audit.opened(found),
      log,
    });
    closers.push('gateway', () => gateway.stop());
    const collector = new Collector({ file: join(dataDir, 'traffic.sqlite'), gateway, now: Date.now, log });
    closers.push('traffic', collector.start());
    const traffic = new TrafficFigures(collector, Date.now);
    const backlog = new BacklogHistory({ file: join(dataDir, 'backlog.sqlite'), gateway, now: Date.now, log });
    closers.push('backlog', backlog.start());
    const alarmFile = openAlarmFile(join(dataDir, 'alarms.sqlite'), log);
    closers.push('alarms', () => alarmFile.close());
    const alarms = createAlarms(() => new Date(), alarmFile);
    const ballast = createBallast(dataDir);
    const reserveBytes = () => settings.current().diskReserveBytes;
    const disk = createDiskWatch({ dataDir, ballast, reserveBytes, onChange: () => void standing(), log });
    closers.push('disk watch', () => disk.close());
    const writers = watchDiskWriters(gateway, () => void standing());
    const uploads = new UploadWriters();
    const heldFile = openHeldFile(dataDir, vault.derive(HELD_PURPOSE), log);
    const unsaved = createUnsavedChanges(log, () => void standing(), heldFile);
    closers.push('unsaved changes', () => unsaved.close());
    const quarantine = new Quarantine({
      dataDir,
      projects,
      audit,
      saveLater: ({ project, pipeline }, row) =>
        keepPart(
          { keys, projects, people, gateway, audit, unsaved },
          { what: stopPhrase(project, pipeline), who: {}, row, change: stopOf(project, pipeline) },
        ),
      log,
      now: () => performance.now(),
    });
    watchKeySightings({
      gateway,
      keys,
      audit,
      log,
      onMarked: () => void standing(),
    });
    watchGateway(alarms, gateway, (target) => targetNames(projects.wanted(), target));
    const metrics = createMetrics({
      version: VERSION,
      startedAt,
      dataDir,
      gateway,
      collector,
      settings,
      tls,
      audit,
      pipelines: () => pipelineStates({ projects, gateway }),
      alarms: () => standing(),
      now: Date.now,
    });
    const scrapes = createScrapeAddress({ metrics, forGateway: tls.forGateway, log });
    closers.push('metrics', () => scrapes.close());
    const standing = (): Alarm[] => {
      setStateAlarms(alarms, {
        notices: vault.notices,
        keysRefused: data.refuseAllKeys(),
        journal: audit.troubles(),
        lostStores: data.lostStores(),
        unfinished: data.unfinished,
        settings: settings.current(),
        gatewayPort: gateway.port,
        plainPort: gateway.plainPort,
      });
      setCertificateAlarms(alarms, settings.current().tls, tls.facts(settings.current()), Date.now());
      setDiskAlarms(alarms, disk.level, reserveBytes(), [...writers(), ...uploads.list()]);
      setUnsavedAlarms(alarms, unsaved);
      setWriteStopAlarm(alarms, projects.writeStops.list());
      setQuarantineAlarms(alarms, quarantine.list());
      setMetricsAlarms(alarms, scrapes.trouble);
      setPluginsAlarms(alarms, pluginStore.list(), gateway.plugins);
      const valid = keys.list().filter(({ revokedAt }) => revokedAt === null);
      setKeyAlarms(alarms, valid);
      setCallersAlarms(alarms, traffic.callers(valid, new Map()));
      return alarms.list();
    };
    // Registered now: an alarm begins with its cause, not when it is first read.
    standing();
    gateway.on(({ kind }) => {
      if (kind !== 'state') return;
      if (gateway.state === 'dead') {
        audit.ended();
        quarantine.gatewayEnded();
      }
      standing();
    });
    const starting = new Set<StoredStart>();
    const plugins = createPluginControl({
      store: pluginStore,
      gateway,
      wanted: () => projects.wanted(),
      starting: () => [...starting],
      log,
    });

    const confirmVault = async (): Promise<void> => {
      const hadUnreadable = unsaved.forgetUnreadable();
      await data.confirmVault().catch((error: unknown) => {
        const hadNothing = error instanceof SluiceError && error.code === 'conflict';
        if (!hadUnreadable || !hadNothing) throw error;
      });
      await gateway.change({ kind: 'refuse-all-keys', on: false });
    };
    let uiPort = settings.current().uiPort;
    const routes = createStoredRoutes(projects);
    await scrapes.open(settings.current());
    const restore = new RestoreUpload({
      dataDir,
      keys,
      uiPortOf: (saved) => (options.overrides.uiPort === undefined ? saved : uiPort),
      uiPort: () => uiPort,
      log,
    });
    closers.push('restore', () => restore.close());
    const fleet: HostFleet = { running: null, hasLeft: false };
    const services = createServices({
      people,
      keys,
      settings,
      tls,
      projects,
      secrets,
      starting,
      resources,
      removeProjectFolder: (project) => {
        collector.forgetProject(project);
        return removeProjectFolder(project);
      },
      plugins,
      audit,
      traffic,
      backlog,
      metrics,
      scrapes,
      routes,
      gateway,
      alarms: standing,
      alarmActs: alarms,
      machine: machineOf,
      version: VERSION,
      startedAt,
      uiPort: () => uiPort,
      distDir: UI_FOLDER,
      docsDir: DOCS_FOLDER,
      backup: data.backup,
      restore,
      confirmVault,
      unsaved,
      uploads,
      freeAboveReserve: () => (freeBytesOf(dataDir) ?? Infinity) - reserveBytes(),
      makeRoom: () => disk.makeRoom(),
      ...(options.desktop && { desktop: options.desktop }),
      ...(role && { fleet: fleetPort(role, fleet) }),
      log,
    });
    const admin = createAdminApi(services);
    const server = await listenForUi(admin, uiPort);
    uiPort = server.port;
    closers.push('admin API', () => server.close());

    const gatewayUrl = (): string =>
      usableGatewayUrl(settings.current(), gateway.port ?? settings.current().gatewayPort);
    const commands = commandHandler({
      ...data,
      plugins,
      confirmVault,
      kinds: () => gateway.kinds,
      isDemo: options.demo ?? false,
      restart: (project, pipeline) => restartPipeline({ projects, resources, starting, gateway }, project, pipeline),
      fleet: () => fleet.running,
      leaveFleet: () => leaveFleet(vault, fleet, gateway),
      log,
      doors: () => ({ uiPort, gatewayUrl: gateway.port === null ? null : gatewayUrl() }),
    });
    const control = await openControlSocket(dataDir, commands, log);
    closers.push('control socket', () => control.close());

    if (options.failedRestore) recordFailedRestore(audit, options.failedRestore.user, log);
    closers.push('hourly heads', recordHeadsHourly(vault, audit, log));
    closers.push('nightly verification', verifyNightly(audit, log));
    closers.push('idle memory', releaseIdleMemory());

    const ready = gateway.start();
    ready.catch(() => {});
    // A machine outside of a fleet loads nothing of it.
    if (role !== null) {
      const { startFleet } = await import('./fleet/start.ts');
      fleet.running = await startFleet({ vault, dataDir, services, fleetKeys, gatewayReady: ready, log });
      closers.push('fleet', () => fleet.running?.close());
    }
    closers.push('settling alarms', settleLater(alarms));
    // Before the gateway ends: this must not raise an alarm.
    closers.push('records of alarms', () => alarmFile.close());
    return {
      ready,
      addresses: () => ({
        gatewayUrl: gatewayUrl(),
        uiUrl: `http://127.0.0.1:${uiPort}`,
        setupTokenFile: people.setupNeeded ? join(dataDir, 'setup-token') : null,
      }),
      restoreWanted: restore.wanted,
      view: createShellView({ ...data, dataDir, startedAt, gateway, routes, traffic, alarms: standing }),
      stop: closers.close,
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}
