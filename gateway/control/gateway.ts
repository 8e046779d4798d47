import type {
  Change,
  Failure,
  GatewayCallName,
  GatewayCalls,
  DiskWriter,
  EgressNews,
  FailedStart,
  GatewayStats,
  HostToGateway,
  KindManifest,
  Snapshot,
} from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { PluginLoad, PluginState } from '#common/model/plugin-manifest.ts';
import type { CheckResult } from '#common/model/pipeline.ts';
import { type Settings, unservedSettings } from '#common/model/settings.ts';
import type { Logger } from '#common/node/log.ts';
import { processFigures } from '#common/node/process-figures.ts';
import { scopeMask } from '#common/scopes.ts';
import { createSerialQueue } from '#common/serial-queue.ts';
import { AddressSet } from '../gates/address.ts';
import { KeyRing } from '../gates/keys.ts';
import { SourceBuckets } from '../gates/source-buckets.ts';
import { callerShares } from '../http/callers-shares.ts';
import type { GatewayContext } from '../http/gateway-context.ts';
import { healthPaths } from '../http/health.ts';
import { BodyLane } from '../http/body-lane.ts';
import { HeapWatermark } from '../http/heap-watermark.ts';
import { LONG_REFUSALS, SOURCE_BUCKETS_MAX } from '../http/limits.ts';
import { PacedRefusals } from '../http/paced-refusals.ts';
import { Pressure } from '../http/pressure.ts';
import { RequestIds } from '../http/request-ids.ts';
import { UnsentReplies } from '../http/unsent-replies.ts';
import type { Journal, JournalOptions } from '../journal/contract.ts';
import type { CapabilitySet } from '../capabilities/capabilities.ts';
import type { Egress } from '../egress/contract.ts';
import type { PipelineRuntime } from '../pipeline/contract.ts';
import { RoutingTable } from '../routing/table.ts';
import { Traffic } from '../traffic/traffic.ts';
import type { Channel } from './channel.ts';
import { closeInTime } from './close-in-time.ts';
import { Listener } from './listener.ts';
import { PipelineDeployer } from './pipeline-deployer.ts';
import { RefusalFeed } from './refusal-feed.ts';
import { replyChanged } from './reply-changed.ts';
import { ReplyWarnings } from './reply-warnings.ts';
import { ShareNews } from './share-news.ts';

const PROGRESS_MS = 500;
const ORPHANED_MS_MAX = 400;
/** Beyond the grace of a stop, at whose end runs are cancelled: for the rows and replies of their callers. */
const LAST_REPLIES_MS_MAX = 1_000;
/** Beyond the grace; after the replies, connections are cut. */
const CONNECTIONS_MS_MAX = 2_000;
/** For so long a change of doors counts as getting on: a starved machine takes its time to bring threads up. */
const DOORS_MS_MAX = 30_000;

export interface GatewayParts {
  readonly channel: Channel;
  readonly log: Logger;
  openJournal(options: JournalOptions): Promise<Journal>;
  /** The runtime, what its nodes may reach, and what ends both together with the sandbox. */
  openRuntime(options: RuntimeOptions): Promise<OpenedRuntime>;
  exit(code: number): void;
}

export interface RuntimeOptions {
  readonly dataDir: string;
  readonly settings: Settings;
  /** Hex, 32 bytes. */
  readonly outboxKey: string;
  onEgress(news: EgressNews): void;
  onDiskWriters(writers: DiskWriter[]): void;
}

export interface OpenedRuntime {
  readonly runtime: PipelineRuntime;
  readonly capabilities: CapabilitySet;
  readonly egress: Egress;
  /** Makes exactly these the third-party plugins; gives everything that can be run from now on. */
  plugins(loads: readonly PluginLoad[]): Promise<{ kinds: KindManifest[]; plugins: PluginState[] }>;
  close(): Promise<void>;
}

/** Changes after which triggers may work that did not, or the other way round. */
const BEARING_ON_TRIGGERS: ReadonlySet<Change['kind']> = new Set<Change['kind']>(['start', 'stop', 'resources']);

/** The state after the first snapshot. */
interface Live {
  readonly edge: GatewayContext;
  readonly journal: Journal;
  readonly runtime: PipelineRuntime;
  readonly capabilities: CapabilitySet;
  readonly egress: Egress;
  readonly plugins: OpenedRuntime['plugins'];
  closeRuntime(): Promise<void>;
  readonly publisher: PipelineDeployer;
  readonly replyWarnings: ReplyWarnings;
  readonly listener: Listener;
  machineName: string;
}

/**
 * The gateway's side of the control channel (docs/spec/processes.md#changes). States: waiting for the snapshot, opened
 * (files and keys, pipelines compile), live, stopping. Once opened, key changes and stops take effect in the same turn
 * of the event loop, also when they come before the port listens; starts compile beside what runs.
 */
export class Gateway {
  readonly #parts: GatewayParts;
  readonly #opened = Promise.withResolvers<Live>();
  readonly #published = Promise.withResolvers<void>();
  readonly #served = Promise.withResolvers<void>();
  #live: Live | null = null;
  /** Each change is all of the settings: one that overtook another would be undone by it, after it was acknowledged. */
  readonly #settingsChanges = createSerialQueue();
  #stopping = false;
  /** The state of triggers that the host knows, as JSON. */
  #toldFaults = '[]';

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  handle(message: HostToGateway): void {
    switch (message.type) {
      case 'ping':
        return this.#parts.channel.send({ type: 'pong', id: message.id });
      case 'snapshot':
        return void this.#goLive(message.epoch, message.snapshot);
      case 'change':
        return void this.#change(message.epoch, message.change);
      case 'call':
        return void this.#answer(message.id, message.call, message.args);
      case 'stop':
        return void this.#stop(message.graceMs);
    }
  }

  /** A part of the callers is served by nobody: the host starts a whole gateway in its place. */
  async #threadLost(cause: unknown): Promise<void> {
    this.#parts.log.error('an HTTP thread ended', { reason: reason(cause) });
    await this.orphaned();
  }

  /** The host is gone: stop listening and close the files at once. */
  async orphaned(): Promise<void> {
    this.#stopping = true;
    const bound = setTimeout(() => this.#parts.exit(1), ORPHANED_MS_MAX);
    this.#live?.listener.destroy();
    await this.#live?.journal.close().catch(() => {});
    clearTimeout(bound);
    this.#parts.exit(1);
  }

  async #goLive(epoch: number, snapshot: Snapshot): Promise<void> {
    const { channel, log } = this.#parts;
    const total = snapshot.pipelines.length;
    let done = 0;
    const alive = setInterval(() => channel.send({ type: 'progress', epoch, done, total }), PROGRESS_MS);
    try {
      const live = await this.#open(snapshot);
      // From here on changes count: one that the snapshot does not have must not be lost while pipelines compile.
      this.#live = live;
      this.#opened.resolve(live);
      const failed = await live.publisher.startAll(snapshot.pipelines, (count) => (done = count));
      this.#published.resolve();
      await live.listener.listen();
      this.#served.resolve();
      channel.send({ type: 'ack', epoch });
      this.#tellReady(live, failed);
      this.#tellFaults(live);
    } catch (error) {
      log.error('the gateway cannot start', { reason: error instanceof SluiceError ? error.message : reason(error) });
      channel.send({ type: 'ack', epoch, error: failure(error) });
      setTimeout(() => this.#parts.exit(1), 100);
    } finally {
      clearInterval(alive);
    }
  }

  async #open(snapshot: Snapshot): Promise<Live> {
    const { channel, log } = this.#parts;
    const { machineName } = snapshot;
    const settings = withoutTlsKey(snapshot.settings);
    const journal = await this.#parts.openJournal({
      folder: `${snapshot.dataDir}/journal`,
      durability: settings.journalDurability,
      onHead: (head, clean) => channel.send({ type: 'head', head, clean }),
      onFound: (found) => channel.send({ type: 'journal-opened', found }),
      onState: (state, why) => {
        if (state === 'ok') log.info('audit journal', { state });
        else log.warn('audit journal', { state, reason: why });
        channel.send({ type: 'event', event: { kind: 'journal', state, reason: why } });
      },
      onWarning: (why) => log.warn('audit journal', { reason: why }),
    });
    const { dataDir, outboxKey } = snapshot;
    const onEgress = (egress: EgressNews) => channel.send({ type: 'event', event: { kind: 'egress', egress } });
    const onDiskWriters = (writers: DiskWriter[]) =>
      channel.send({ type: 'event', event: { kind: 'disk-writers', writers } });
    const opened = await this.#parts.openRuntime({ dataDir, settings, outboxKey, onEgress, onDiskWriters });
    const { runtime, capabilities, egress, plugins, close: closeRuntime } = opened;
    channel.send({ type: 'kinds', ...(await plugins(snapshot.plugins)) });
    for (const resources of snapshot.resources) await capabilities.configure(resources.project, resources);
    const feed = new RefusalFeed((event) => channel.send({ type: 'event', event }));
    const shareNews = new ShareNews((uses) => channel.send({ type: 'event', event: { kind: 'shares', uses } }));
    const replyWarnings = new ReplyWarnings(
      (event) => channel.send({ type: 'event', event }),
      (one) => edge.table.pipelines.get(`${one.project}/${one.id}`)?.compiled === one,
    );
    const keys = new KeyRing(Buffer.from(snapshot.keyPepper, 'hex'));
    for (const key of snapshot.keys) keys.put(key);
    keys.refuseAll = snapshot.refuseAllKeys;
    const edge: GatewayContext = {
      table: new RoutingTable(),
      keys,
      journal,
      sourceBuckets: new SourceBuckets(SOURCE_BUCKETS_MAX),
      ids: new RequestIds(),
      traffic: new Traffic(`${process.pid}-${Date.now()}`),
      unsentReplies: new UnsentReplies(),
      heap: new HeapWatermark(),
      bodyLane: new BodyLane(),
      pressure: new Pressure(),
      pacedRefusals: new PacedRefusals(),
      pacedLongRefusals: new PacedRefusals(undefined, LONG_REFUSALS),
      trustedProxies: new AddressSet(settings.trustedProxies),
      ownNames: ownNames(settings, machineName),
      health: healthPaths(settings),
      draining: false,
      inFlight: 0,
      shares: callerShares((cap, by, bound) => shareNews.refused(cap, by, bound)),
      onHeapFull: (by) => shareNews.refused('heap', by, 'cap'),
      onRefused: (event) => feed.refused(event),
      onErrorWith200: (pipeline) => replyWarnings.replied(pipeline),
    };
    refuseUnserved(settings);
    return {
      edge,
      journal,
      runtime,
      capabilities,
      egress,
      plugins,
      closeRuntime,
      publisher: new PipelineDeployer(edge, runtime),
      replyWarnings,
      listener: new Listener(edge, snapshot.settings, (cause) => void this.#threadLost(cause)),
      machineName,
    };
  }

  async #change(epoch: number, change: Change): Promise<void> {
    const { channel, log } = this.#parts;
    const alive =
      change.kind === 'start' || change.kind === 'plugins'
        ? setInterval(() => this.#progress(epoch), PROGRESS_MS)
        : null;
    try {
      const live = await this.#opened.promise;
      await this.#apply(live, epoch, change);
      // Before the acknowledgement: who made the change reads what became of it.
      if (BEARING_ON_TRIGGERS.has(change.kind)) this.#tellFaults(live);
      channel.send({ type: 'ack', epoch });
    } catch (error) {
      if (!(error instanceof SluiceError)) log.error('a change failed', { change: change.kind, reason: reason(error) });
      channel.send({ type: 'ack', epoch, error: failure(error) });
    } finally {
      if (alive) clearInterval(alive);
    }
  }

  #progress(epoch: number): void {
    this.#parts.channel.send({ type: 'progress', epoch, done: 0, total: 1 });
  }

  async #apply(live: Live, epoch: number, change: Change): Promise<void> {
    switch (change.kind) {
      case 'key':
        return live.edge.keys.put(change.key);
      case 'key-revoked':
        return live.edge.keys.revoke(change.keyId);
      case 'refuse-all-keys':
        live.edge.keys.refuseAll = change.on;
        return;
      case 'resources':
        return live.capabilities.configure(change.project, change.resources);
      case 'plugins':
        this.#parts.channel.send({ type: 'kinds', ...(await live.plugins(change.plugins)) });
        return;
      case 'settings':
        return this.#settingsChanges.take(() => this.#settings(live, epoch, change.settings));
      case 'start':
        await live.publisher.start(change.start, this.#published.promise);
        // In the turn of the swap: before the new revision has replied to anybody.
        return live.replyWarnings.forget(change.start.project, change.start.definition.id);
      case 'stop':
        live.publisher.stop(change.project, change.pipeline);
        return live.replyWarnings.forget(change.project, change.pipeline);
    }
  }

  async #settings(live: Live, epoch: number, saved: Settings): Promise<void> {
    // Its turn has come: only from here on does it take time of its own.
    this.#progress(epoch);
    refuseUnserved(saved);
    if (live.listener.differs(saved)) {
      // Nothing listens before the first snapshot is live, whatever changes meanwhile.
      await this.#served.promise;
      await this.#changeDoors(live, epoch, saved);
      this.#tellReady(live, []);
    }
    const settings = withoutTlsKey(saved);
    live.edge.trustedProxies = new AddressSet(settings.trustedProxies);
    live.edge.ownNames = ownNames(settings, live.machineName);
    live.edge.health = healthPaths(settings);
    live.journal.configure({ durability: settings.journalDurability });
    // The device thread has the new list of allowed targets before the change is acknowledged.
    await Promise.all([live.capabilities.settings(settings), live.egress.settings(settings)]);
  }

  async #changeDoors({ listener }: Live, epoch: number, saved: Settings): Promise<void> {
    const alive = setInterval(() => this.#progress(epoch), PROGRESS_MS);
    const bound = setTimeout(() => clearInterval(alive), DOORS_MS_MAX);
    try {
      await listener.change(saved);
    } finally {
      clearTimeout(bound);
      clearInterval(alive);
    }
  }

  #tellReady({ listener: { port, plainHttpPort } }: Live, failed: FailedStart[]): void {
    this.#parts.channel.send({ type: 'ready', port, plainHttpPort, failed });
  }

  #tellFaults({ publisher }: Live): void {
    const faults = publisher.faults();
    const text = JSON.stringify(faults);
    if (text === this.#toldFaults) return;
    this.#toldFaults = text;
    this.#parts.channel.send({ type: 'event', event: { kind: 'trigger-faults', faults } });
  }

  async #answer(id: number, call: GatewayCallName, args: unknown): Promise<void> {
    const { channel, log } = this.#parts;
    try {
      if (!this.#live) throw new SluiceError('gateway_down', 'The gateway is still starting.');
      channel.send({ type: 'reply', id, value: await answer(this.#live, call, args) });
    } catch (error) {
      if (!(error instanceof SluiceError)) log.error('a call failed', { call, reason: reason(error) });
      channel.send({ type: 'reply', id, error: failure(error) });
    }
  }

  /**
   * In-flight requests finish, at most `graceMs`; then what still runs is cancelled and answered with 503, the files are
   * closed and the process ends.
   */
  async #stop(graceMs: number): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    const live = this.#live;
    if (live) {
      live.edge.draining = true;
      const cancel = setTimeout(() => live.publisher.cancelRuns(), graceMs);
      const bound = setTimeout(() => live.listener.destroy(), graceMs + LAST_REPLIES_MS_MAX);
      // A door that a change is about to open would be left open.
      await this.#settingsChanges.settled();
      await closeInTime(graceMs + CONNECTIONS_MS_MAX, [{ listener: () => live.listener.close() }], this.#parts.log);
      clearTimeout(cancel);
      clearTimeout(bound);
      await live.closeRuntime();
      await live.journal
        .close()
        .catch((error: unknown) => this.#parts.log.error('the journal did not close', { reason: reason(error) }));
    }
    this.#parts.exit(0);
  }
}

async function answer(live: Live, call: GatewayCallName, args: unknown): Promise<unknown> {
  switch (call) {
    case 'check':
      return check(live, args as GatewayCalls['check']['args']);
    case 'test': {
      const { project, revision, definition, message, scopes } = args as GatewayCalls['test']['args'];
      return live.runtime.test({ project, revision, definition }, message, scopeMask(scopes));
    }
    case 'runs': {
      const { project, pipeline } = args as GatewayCalls['runs']['args'];
      return live.runtime.runs(project, pipeline);
    }
    case 'run': {
      const { project, pipeline, run } = args as GatewayCalls['run']['args'];
      return live.runtime.run(project, pipeline, run);
    }
    case 'capability': {
      const { project, name, args: given } = args as GatewayCalls['capability']['args'];
      return live.capabilities.forPerson(project, name, given);
    }
    case 'connection-test':
      return live.capabilities.trials[call](args as GatewayCalls['connection-test']['args']);
    case 'query-test':
      return live.capabilities.trials[call](args as GatewayCalls['query-test']['args']);
    case 'script-test':
      return live.capabilities.trials[call](args as GatewayCalls['script-test']['args']);
    case 'script-check':
      return live.capabilities.trials[call](args as GatewayCalls['script-check']['args']);
    case 'stats':
      return stats(live);
    case 'traffic': {
      const { epoch, cursor } = args as GatewayCalls['traffic']['args'];
      return live.edge.traffic.tell(epoch, cursor, live.edge.inFlight);
    }
    case 'node-traffic': {
      const { project, pipeline } = args as GatewayCalls['node-traffic']['args'];
      const compiled = live.edge.table.pipelines.get(`${project}/${pipeline}`)?.compiled;
      return compiled === undefined ? null : { revision: compiled.revision, nodes: compiled.traffic() };
    }
    case 'egress-state':
    case 'egress-target-act':
    case 'egress-events':
    case 'egress-event':
    case 'egress-event-act':
    case 'egress-edit':
    case 'egress-import':
      return (live.egress.control[call] as (given: unknown) => Promise<unknown>)(args);
  }
}

function check(live: Live, { project, definition }: GatewayCalls['check']['args']): CheckResult {
  const result = live.runtime.check(definition);
  const clash = live.edge.table.clash({ project, definition });
  if (clash) {
    const message = `The route ${clash.route} is already answered by the running pipeline "${clash.pipeline}" of project "${clash.project}".`;
    result.errors.push({ code: 'route_clash', message });
  }
  result.warnings.push(...replyChanged(live.publisher.running(project, definition.id), definition));
  return result;
}

function stats({ edge, listener, journal, capabilities }: Live): GatewayStats {
  return {
    connections: listener.connections,
    inFlight: edge.inFlight,
    bodyBytes: edge.shares.bodies.used + edge.shares.parsed.used,
    journal: { state: journal.state, head: journal.head },
    routes: [...edge.table.routes.values()].map((route) => ({ ...route.stats })),
    process: processFigures(),
    ...capabilities.figures(),
  };
}

/** Fails closed: nothing is served otherwise than it was asked for. */
function refuseUnserved(settings: Settings): void {
  const errors = unservedSettings(settings, process.platform);
  if (errors.length === 0) return;
  throw new SluiceError('invalid', errors.map(({ path, message }) => `${path}: ${message}`).join('; '), { errors });
}

/** Only the listener needs the key. Other code in this process runs pipelines of users. */
function withoutTlsKey(settings: Settings): Settings {
  return { ...settings, tlsKey: null };
}

function ownNames(settings: Settings, machineName: string): ReadonlySet<string> {
  const base = settings.baseUrl.replace(/^https?:\/\//, '').toLowerCase();
  return new Set(['localhost', machineName.toLowerCase(), base]);
}

function failure(error: unknown): Failure {
  if (!(error instanceof SluiceError))
    return { code: 'internal', detail: 'Something went wrong inside the gateway; its log has the cause.' };
  return { code: error.code, detail: error.message, ...(error.errors && { errors: error.errors }) };
}

function reason(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
