import type {
  Change,
  Failure,
  GatewayCallName,
  FailedStart,
  HostToGateway,
  Snapshot,
} from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Settings } from '#common/model/settings.ts';
import { createSerialQueue } from '#common/serial-queue.ts';
import { closeInTime } from './close-in-time.ts';
import { composeGateway, type GatewayComponents, type GatewayParts } from './compose.ts';
import { answerCall } from './gateway-calls.ts';
import { refuseUnserved, settingsInForce, withoutTlsKey } from './served-settings.ts';

const PROGRESS_MS = 500;
const ORPHANED_MS_MAX = 400;
/** Time after the grace period of a stop, when runs are cancelled, for the rows and replies of their callers. */
const LAST_REPLIES_MS_MAX = 1_000;
/** Time after the grace period; after the replies, connections are cut. */
const CONNECTIONS_MS_MAX = 2_000;
/** For this long, a change of the ports counts as making progress: a busy machine needs time to start threads. */
const DOORS_MS_MAX = 30_000;

/** Changes after which triggers may start or stop working. */
const BEARING_ON_TRIGGERS: ReadonlySet<Change['kind']> = new Set<Change['kind']>(['start', 'stop', 'resources']);

/**
 * The gateway's side of the control channel (docs/spec/processes.md#changes). States: waiting for the snapshot, opened
 * (files and keys, pipelines compile), live, stopping. Once opened, key changes and stops take effect in the same turn
 * of the event loop, also when they come before the port listens; starts compile in parallel with running revisions.
 */
export class Gateway {
  readonly #parts: GatewayParts;
  readonly #opened = Promise.withResolvers<GatewayComponents>();
  readonly #published = Promise.withResolvers<void>();
  readonly #served = Promise.withResolvers<void>();
  #live: GatewayComponents | null = null;
  /**
   * Each change contains all settings: a change that was overtaken by another would undo it after it was acknowledged.
   */
  readonly #settingsChanges = createSerialQueue();
  #stopping = false;
  /** The state of triggers known to the host, as JSON. */
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

  /** Nobody serves a part of the callers: the host replaces the whole gateway. */
  async #threadLost(cause: unknown): Promise<void> {
    this.#parts.log.error('an HTTP thread ended', { reason: reason(cause) });
    await this.orphaned();
  }

  /** The host has exited: stop listening and close the files immediately. */
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
      const live = await composeGateway(this.#parts, snapshot, (cause) => void this.#threadLost(cause));
      // From now on, changes are accepted: a change that is not in the snapshot must not be lost while pipelines
      // compile.
      this.#live = live;
      this.#opened.resolve(live);
      const failed = await live.publisher.startAll(snapshot, (count) => (done = count));
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

  async #change(epoch: number, change: Change): Promise<void> {
    const { channel, log } = this.#parts;
    const alive =
      change.kind === 'start' || change.kind === 'plugins'
        ? setInterval(() => this.#progress(epoch), PROGRESS_MS)
        : null;
    try {
      const live = await this.#opened.promise;
      await this.#apply(live, epoch, change);
      // Before the acknowledgement, so that the user who made the change sees the result.
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

  async #apply(live: GatewayComponents, epoch: number, change: Change): Promise<void> {
    switch (change.kind) {
      case 'key':
        return live.edge.keys.put(change.key);
      case 'key-revoked':
        return live.edge.keys.revoke(change.keyId);
      case 'key-limits':
        return live.edge.keys.limit(change.keyId, change.limits);
      case 'key-paused':
        return live.edge.keys.pause(change.keyId, change.paused);
      case 'refuse-all-keys':
        live.edge.keys.refuseAll = change.on;
        return;
      case 'refuse-fleet-keys':
        live.edge.keys.refuseFleet = change.on;
        return;
      case 'resources':
        return live.capabilities.configure(change.project, change.resources);
      case 'write-stops':
        return live.capabilities.stopWrites(change.stops);
      case 'plugins':
        this.#parts.channel.send({ type: 'kinds', ...(await live.plugins(change.plugins)) });
        return;
      case 'settings':
        return this.#settingsChanges.take(() => this.#settings(live, epoch, change.settings));
      case 'start':
        await live.publisher.start(change.start, this.#published.promise);
        // In the same turn as the swap: before the new revision has replied to any call.
        return live.replyWarnings.forget(change.start.project, change.start.definition.id);
      case 'stop':
        live.publisher.stop(change.project, change.pipeline);
        return live.replyWarnings.forget(change.project, change.pipeline);
    }
  }

  async #settings(live: GatewayComponents, epoch: number, saved: Settings): Promise<void> {
    // It is now being processed: only from here on does its own time count.
    this.#progress(epoch);
    refuseUnserved(saved);
    if (live.listener.differs(saved)) {
      // Nothing listens before the first snapshot is live, whatever changes arrive in the meantime.
      await this.#served.promise;
      await this.#changeDoors(live, epoch, saved);
      this.#tellReady(live, []);
    }
    const settings = withoutTlsKey(saved);
    Object.assign(live.edge, settingsInForce(settings, live.machineName));
    live.scripts.settings(settings);
    live.journal.configure({ durability: settings.journalDurability });
    // The device thread applies the new list of allowed targets before the change is acknowledged.
    await Promise.all([live.capabilities.settings(settings), live.egress.settings(settings)]);
  }

  async #changeDoors({ listener }: GatewayComponents, epoch: number, saved: Settings): Promise<void> {
    const alive = setInterval(() => this.#progress(epoch), PROGRESS_MS);
    const bound = setTimeout(() => clearInterval(alive), DOORS_MS_MAX);
    try {
      await listener.change(saved);
    } finally {
      clearTimeout(bound);
      clearInterval(alive);
    }
  }

  #tellReady({ listener: { port, plainHttpPort } }: GatewayComponents, failed: FailedStart[]): void {
    this.#parts.channel.send({ type: 'ready', port, plainHttpPort, failed });
  }

  #tellFaults({ publisher }: GatewayComponents): void {
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
      channel.send({ type: 'reply', id, value: await answerCall(this.#live, call, args) });
    } catch (error) {
      if (!(error instanceof SluiceError)) log.error('a call failed', { call, reason: reason(error) });
      channel.send({ type: 'reply', id, error: failure(error) });
    }
  }

  /**
   * In-flight requests finish within `graceMs`; then running requests, and those whose body is still arriving, are
   * answered with 503, the files are closed and the process ends.
   */
  async #stop(graceMs: number): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    const live = this.#live;
    if (live) {
      live.edge.draining = true;
      const cancel = setTimeout(() => {
        live.edge.graceOver = true;
        live.publisher.cancelRuns();
      }, graceMs);
      const bound = setTimeout(() => live.listener.destroy(), graceMs + LAST_REPLIES_MS_MAX);
      // Otherwise a port that a change is about to open would stay open.
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

function failure(error: unknown): Failure {
  if (!(error instanceof SluiceError))
    return { code: 'internal', detail: 'An internal error occurred in the gateway; its log has the cause.' };
  return {
    code: error.code,
    detail: error.message,
    ...(error.sentence && { sentence: error.sentence }),
    ...(error.errors && { errors: error.errors }),
  };
}

function reason(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
