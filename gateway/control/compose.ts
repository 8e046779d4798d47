import type { DiskWriter, EgressNews, KindManifest, ScriptRuns, Snapshot } from '#common/control/messages.ts';
import type { PluginLoad, PluginState } from '#common/model/plugin-manifest.ts';
import type { Settings } from '#common/model/settings.ts';
import type { Logger } from '#common/node/log.ts';
import { KeyWatch } from '../gates/key-watch.ts';
import { KeyRing } from '../gates/keys.ts';
import { SourceBuckets } from '../gates/source-buckets.ts';
import { callerShares } from '../http/callers-shares.ts';
import type { GatewayContext } from '../http/gateway-context.ts';
import { BodyLane } from '../http/body-lane.ts';
import { HeapWatermark } from '../http/heap-watermark.ts';
import { LONG_REFUSALS, SOURCE_BUCKETS_MAX } from '../http/limits.ts';
import { PacedRefusals } from '../http/paced-refusals.ts';
import { Pressure } from '../http/pressure.ts';
import { RecentRefusals } from '../http/recent-refusals.ts';
import { RequestIds } from '../http/request-ids.ts';
import { UnsentReplies } from '../http/unsent-replies.ts';
import type { Journal, JournalOptions } from '../journal/contract.ts';
import type { CapabilitySet } from '../capabilities/capabilities.ts';
import type { Egress } from '../egress/contract.ts';
import type { PipelineRuntime } from '../pipeline/contract.ts';
import { RoutingTable } from '../routing/table.ts';
import { Traffic } from '../traffic/traffic.ts';
import type { Channel } from './channel.ts';
import { Listener } from './listener.ts';
import { PipelineDeployer } from './pipeline-deployer.ts';
import { RefusalFeed } from './refusal-feed.ts';
import { ReplyWarnings } from './reply-warnings.ts';
import { ShareNews } from './share-news.ts';
import { refuseUnserved, settingsInForce, withoutTlsKey } from './served-settings.ts';

export interface GatewayParts {
  readonly channel: Channel;
  readonly log: Logger;
  openJournal(options: JournalOptions): Promise<Journal>;
  /** The runtime, the capabilities of its nodes, and a function that closes both together with the sandbox. */
  openRuntime(options: RuntimeOptions): Promise<OpenedRuntime>;
  exit(code: number): void;
}

export interface RuntimeOptions {
  readonly dataDir: string;
  readonly settings: Settings;
  /** Hex, 32 bytes. */
  readonly outboxKey: string;
  readonly journal: Journal;
  onEgress(news: EgressNews): void;
  onDiskWriters(writers: DiskWriter[]): void;
}

export interface OpenedRuntime {
  readonly runtime: PipelineRuntime;
  readonly capabilities: CapabilitySet;
  readonly egress: Egress;
  readonly scripts: { settings(settings: Settings): void; runs(): ScriptRuns };
  /** Sets the third-party plugins; returns everything that can be run from now on. */
  plugins(loads: readonly PluginLoad[]): Promise<{ kinds: KindManifest[]; plugins: PluginState[] }>;
  close(): Promise<void>;
}

/** All components of the gateway after its first snapshot. */
export interface GatewayComponents {
  readonly edge: GatewayContext;
  readonly journal: Journal;
  readonly runtime: PipelineRuntime;
  readonly capabilities: CapabilitySet;
  readonly egress: Egress;
  readonly scripts: OpenedRuntime['scripts'];
  readonly plugins: OpenedRuntime['plugins'];
  closeRuntime(): Promise<void>;
  readonly publisher: PipelineDeployer;
  readonly replyWarnings: ReplyWarnings;
  readonly listener: Listener;
  machineName: string;
}

/**
 * Opens files and keys and connects the components. Nothing listens yet and no pipeline is started. Throws SluiceError
 * `invalid` for settings that are not supported on this machine.
 */
export async function composeGateway(
  parts: GatewayParts,
  snapshot: Snapshot,
  onThreadLost: (cause: unknown) => void,
): Promise<GatewayComponents> {
  const { channel } = parts;
  const { machineName } = snapshot;
  const settings = withoutTlsKey(snapshot.settings);
  const journal = await parts.openJournal(journalOptions(snapshot, settings, parts));
  const { dataDir, outboxKey } = snapshot;
  const onEgress = (egress: EgressNews) => channel.send({ type: 'event', event: { kind: 'egress', egress } });
  const onDiskWriters = (writers: DiskWriter[]) =>
    channel.send({ type: 'event', event: { kind: 'disk-writers', writers } });
  const opened = await parts.openRuntime({ dataDir, settings, outboxKey, journal, onEgress, onDiskWriters });
  const { runtime, capabilities, egress, scripts, plugins, close: closeRuntime } = opened;
  channel.send({ type: 'kinds', ...(await plugins(snapshot.plugins)) });
  await capabilities.stopWrites(snapshot.writeStops);
  for (const resources of snapshot.resources) await capabilities.configure(resources.project, resources);
  const feed = new RefusalFeed((event) => channel.send({ type: 'event', event }));
  const shareNews = new ShareNews((uses) => channel.send({ type: 'event', event: { kind: 'shares', uses } }));
  const replyWarnings = new ReplyWarnings(
    (event) => channel.send({ type: 'event', event }),
    (one) => edge.table.pipelines.get(`${one.project}/${one.id}`)?.compiled === one,
  );
  const edge: GatewayContext = {
    table: new RoutingTable(),
    keys: keyRing(snapshot),
    keyWatch: new KeyWatch((sighting) => channel.send({ type: 'event', event: { kind: 'key-sighting', sighting } })),
    journal,
    sourceBuckets: new SourceBuckets(SOURCE_BUCKETS_MAX),
    ids: new RequestIds(),
    traffic: new Traffic(`${process.pid}-${Date.now()}`),
    recentRefusals: new RecentRefusals(),
    unsentReplies: new UnsentReplies(),
    heap: new HeapWatermark(),
    bodyLane: new BodyLane(),
    pressure: new Pressure(),
    pacedRefusals: new PacedRefusals(),
    pacedLongRefusals: new PacedRefusals(undefined, LONG_REFUSALS),
    ...settingsInForce(settings, machineName),
    draining: false,
    graceOver: false,
    inFlight: 0,
    shares: callerShares((cap, by, bound) => shareNews.refused(cap, by, bound)),
    onHeapFull: (by) => shareNews.refused('heap', by, 'cap'),
    onRow: (project, pipeline, bytes) => capabilities.disk.noteRow(project, pipeline, bytes),
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
    scripts,
    plugins,
    closeRuntime,
    publisher: new PipelineDeployer(edge, runtime),
    replyWarnings,
    listener: new Listener(edge, snapshot.settings, onThreadLost),
    machineName,
  };
}

function journalOptions({ dataDir }: Snapshot, settings: Settings, { channel, log }: GatewayParts): JournalOptions {
  return {
    folder: `${dataDir}/journal`,
    durability: settings.journalDurability,
    onHead: (head, clean) => channel.send({ type: 'head', head, clean }),
    onFound: (found) => channel.send({ type: 'journal-opened', found }),
    onState: (state, why) => {
      if (state === 'ok') log.info('audit journal', { state });
      else log.warn('audit journal', { state, reason: why });
      channel.send({ type: 'event', event: { kind: 'journal', state, reason: why } });
    },
    onWarning: (why) => log.warn('audit journal', { reason: why }),
  };
}

function keyRing({ keyPepper, fleetPepper, keys, refuseAllKeys, refuseFleetKeys }: Snapshot): KeyRing {
  const ring = new KeyRing(
    Buffer.from(keyPepper, 'hex'),
    fleetPepper === null ? null : Buffer.from(fleetPepper, 'hex'),
  );
  for (const key of keys) ring.put(key);
  ring.refuseAll = refuseAllKeys;
  ring.refuseFleet = refuseFleetKeys;
  return ring;
}
