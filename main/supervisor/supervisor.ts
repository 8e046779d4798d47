import type {
  Change,
  FailedStart,
  GatewayCallName,
  GatewayCalls,
  GatewayEvent,
  GatewayToHost,
  HostToGateway,
  KindManifest,
  Snapshot,
  TriggerFault,
} from '#common/control/messages.ts';
import type { ErrorsWith200 } from '#common/model/pipeline.ts';
import type { PluginState } from '#common/model/plugin-manifest.ts';
import type { ChainHead } from '#common/model/audit.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { GatewayState } from '#common/model/records.ts';
import type { Logger } from '#common/node/log.ts';
import type { GatewayLink, GatewayOutage, OutageCause } from '../contracts.ts';
import { createPendingCalls, type PendingCalls } from './calls.ts';
import type { ChildEnd, GatewayChild, StartChild } from './child.ts';
import { startHeartbeat, type Heartbeat } from './heartbeat.ts';
import { asError, createPendingChanges, gatewayDown, type PendingChanges } from './pending.ts';
import { createRestartPolicy } from './restart-policy.ts';
import { mayMove } from './states.ts';

/**
 * Keeps one gateway process in service and is the host's only way to it (docs/spec/processes.md#changes).
 *
 * States: `states.ts`. Each process sends `hello`, gets a snapshot of everything that is saved now, then only changes,
 * each with an epoch. A change is saved before it is passed to the supervisor. Changes that a killed process did not
 * acknowledge are therefore in force once it has ended, because the next one starts from a new snapshot. Only settings
 * can prevent that one from serving (a port in use): the change waits until it serves, and is refused if it does not.
 *
 * Limits: acknowledgement 2 s, silence 10 s, drain 10 s, restarts 60 a minute and then 0.2 s to 30 s apart, 1,000
 * pending requests.
 *
 * Security: fails closed. A gateway that does not confirm a revocation is killed, not trusted. The snapshot carries the
 * key pepper, over the process's own channel only; nothing secret is in its arguments or environment.
 *
 * Known weakness: a host that is stopped (SIGSTOP) stops supervising; the gateway continues with its state. In the
 * installed service, systemd replaces such a host (main/systemd); elsewhere nothing does.
 */
export interface SupervisorOptions {
  startChild: StartChild;
  /** The complete saved state; called for each new process. */
  snapshot(): Snapshot;
  /** A change in the form for the gateway; unchanged by default. */
  outgoing?: (change: Change) => Change;
  onHead(head: ChainHead, clean: boolean): void;
  onJournalOpened(found: ChainHead): void;
  log: Logger;
}

export const DRAIN_MS_MAX = 10_000;
/** Time for a draining gateway to close its files, after its grace period: more than the sum of its own limits. */
const CLOSE_MS_MAX = 12_000;
/** Time for a gateway that cannot serve, before it is ended. */
const LEAVE_MS_MAX = 2_000;

/** One process with everything that waits for it. */
interface Life {
  child: GatewayChild;
  startedAt: number;
  readyAt: number | null;
  snapshotEpoch: number | null;
  changes: PendingChanges;
  calls: PendingCalls;
  heartbeat: Heartbeat;
  /** Why the supervisor ended it, for the report. */
  reason: string | null;
}

type Listener = Parameters<GatewayLink['on']>[0];

export class Supervisor implements GatewayLink {
  state: GatewayState = 'dead';
  since = new Date().toISOString();
  port: number | null = null;
  /** The port of the last gateway that served; kept when it has ended. */
  lastPort: number | null = null;
  /** The port of the plain listener in addition to TLS; null: there is none. */
  plainPort: number | null = null;
  lastPlainPort: number | null = null;
  restarts = 0;
  lastOutage: GatewayOutage | null = null;
  kinds: KindManifest[] = [];
  plugins: PluginState[] = [];
  failed: FailedStart[] = [];
  triggerFaults: readonly TriggerFault[] = [];
  readonly errorsWith200 = new Map<string, ErrorsWith200[]>();
  /** The last reason why a gateway could not serve, such as a port in use; null while one serves. */
  trouble: string | null = null;

  readonly #options: SupervisorOptions;
  readonly #policy = createRestartPolicy(() => performance.now());
  readonly #listeners = new Set<Listener>();
  /** Changes of settings whose process ended before it applied them: they wait for the next one to serve. */
  readonly #waitForService = new Set<PromiseWithResolvers<void>>();
  #epoch = 0;
  #life: Life | null = null;
  #restartTimer: NodeJS.Timeout | null = null;
  #firstReady: PromiseWithResolvers<void> | null = null;
  #served = false;
  /** Since when no gateway serves, and why. */
  #away: Omit<GatewayOutage, 'to'> | null = null;
  #stopped: Promise<void> | null = null;
  #ended: (() => void) | null = null;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  get pid(): number | null {
    return this.#life?.child.pid ?? null;
  }

  get silentMs(): number | null {
    return this.#life?.heartbeat.silentMs() ?? null;
  }

  start(): Promise<void> {
    if (!this.#firstReady) {
      this.#firstReady = Promise.withResolvers();
      this.#spawn();
    }
    return this.#firstReady.promise;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#drain();
    return this.#stopped;
  }

  on(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async change(change: Change): Promise<void> {
    const life = this.#life;
    // No process serves the old state: the next snapshot, created after this moment, contains the change.
    if (!life || life.snapshotEpoch === null) {
      if (change.kind === 'start') throw gatewayDown();
      return;
    }
    const epoch = ++this.#epoch;
    // Sent first: if it cannot be sent (JSON that is nested too deeply), the call fails and nothing is pending.
    life.child.send({ type: 'change', epoch, change: this.#options.outgoing?.(change) ?? change });
    const acknowledged = await life.changes.add(epoch, change.kind);
    if (!acknowledged && change.kind === 'settings') await this.#nextServes();
    if (change.kind === 'start') this.#forget(change.start.project, change.start.definition.id);
    if (change.kind === 'stop') this.#forget(change.project, change.pipeline);
  }

  async call<C extends GatewayCallName>(call: C, args: GatewayCalls[C]['args']): Promise<GatewayCalls[C]['value']> {
    const life = this.#life;
    if (!life || this.state !== 'running') throw gatewayDown();
    // The gateway is trusted code: its responses match the contract.
    return life.calls.ask(call, (id) => life.child.send({ type: 'call', id, call, args }));
  }

  /** Throws the refusal of the next process, and SluiceError `conflict` if it ends before it serves. */
  async #nextServes(): Promise<void> {
    if (this.#stopped) throw notTaken();
    const service = Promise.withResolvers<void>();
    this.#waitForService.add(service);
    await service.promise;
  }

  #settleService(settle: (service: PromiseWithResolvers<void>) => void): void {
    for (const service of this.#waitForService) settle(service);
    this.#waitForService.clear();
  }

  #spawn(): void {
    this.#restartTimer = null;
    this.#move('starting');
    const child = this.#options.startChild();
    const life: Life = {
      child,
      startedAt: performance.now(),
      readyAt: null,
      snapshotEpoch: null,
      changes: createPendingChanges((kind) => this.#kill(life, `a change (${kind}) was not applied`, 'refused')),
      calls: createPendingCalls(),
      heartbeat: startHeartbeat(
        (id) => child.send({ type: 'ping', id }),
        () => this.#kill(life, 'silent for 10 s', 'silent'),
      ),
      reason: null,
    };
    this.#life = life;
    child.onMessage((message) => this.#receive(life, message));
    child.onExit((end) => this.#bury(life, end));
  }

  #receive(life: Life, message: GatewayToHost): void {
    if (this.#life !== life) return;
    life.heartbeat.heard();
    switch (message.type) {
      case 'hello':
        this.kinds = message.kinds;
        return this.#sendSnapshot(life);
      case 'kinds':
        this.kinds = message.kinds;
        this.plugins = message.plugins;
        return this.#emit({ kind: 'state' });
      case 'progress':
        return life.changes.progress(message.epoch);
      case 'ack':
        if (message.epoch !== life.snapshotEpoch) return life.changes.acknowledge(message.epoch, message.error);
        if (message.error) this.#refused(life, asError(message.error));
        return;
      case 'ready':
        return this.#ready(life, message);
      case 'reply':
        return life.calls.reply(message.id, message.value, message.error);
      case 'head':
        return this.#options.onHead(message.head, message.clean);
      case 'journal-opened':
        return this.#options.onJournalOpened(message.found);
      case 'event':
        this.#learn(message.event);
        return this.#emit(message.event);
      case 'pong':
        return;
      default:
        message satisfies never;
    }
  }

  /** Records how pipelines run. */
  #learn(event: GatewayEvent): void {
    if (event.kind === 'trigger-faults') this.triggerFaults = event.faults;
    if (event.kind !== 'pipeline-warning') return;
    const id = `${event.project}/${event.pipeline}`;
    if (event.errorsWith200.length === 0) this.errorsWith200.delete(id);
    else this.errorsWith200.set(id, event.errorsWith200);
  }

  #sendSnapshot(life: Life): void {
    if (life.snapshotEpoch !== null) return;
    try {
      const message: HostToGateway = { type: 'snapshot', epoch: ++this.#epoch, snapshot: this.#options.snapshot() };
      life.snapshotEpoch = message.epoch;
      life.child.send(message);
    } catch (error) {
      this.#options.log.error('the saved state cannot be read for the gateway', { error });
      this.#kill(life, 'no snapshot');
    }
  }

  #ready(life: Life, message: Extract<GatewayToHost, { type: 'ready' }>): void {
    // Sent again if the settings change the port: then nothing was compiled.
    if (life.readyAt === null) this.failed = message.failed;
    life.readyAt ??= performance.now();
    this.port = message.port;
    this.lastPort = message.port;
    this.plainPort = message.plainHttpPort;
    this.lastPlainPort = message.plainHttpPort;
    this.trouble = null;
    this.#served = true;
    if (this.#away) this.lastOutage = { ...this.#away, to: new Date().toISOString() };
    this.#away = null;
    if (this.state === 'starting') this.#move('running');
    this.#firstReady?.resolve();
    this.#settleService(({ resolve }) => resolve());
  }

  /** The gateway cannot serve with its settings (its port is in use). Before the first service this is final. */
  #refused(life: Life, error: Error): void {
    this.trouble = error.message;
    life.reason = error.message;
    this.#settleService(({ reject }) => reject(error));
    // It exits by itself, after closing its files.
    setTimeout(() => this.#kill(life, error.message), LEAVE_MS_MAX).unref();
    if (!this.#served) {
      this.#stopped ??= new Promise((resolve) => (this.#ended = resolve));
      this.#firstReady?.reject(error);
    }
  }

  #kill(life: Life, reason: string, cause: OutageCause = 'refused'): void {
    if (this.#life !== life || this.state === 'stopping') return;
    life.reason = reason;
    this.#leave(cause, life.heartbeat.silentMs());
    this.#move('stopping');
    life.child.kill();
  }

  /** The served routes are unavailable from now on, or since the last message of the gateway. */
  #leave(cause: OutageCause, silentMs = 0): void {
    if (!this.#served || this.#stopped) return;
    this.#away ??= { from: new Date(Date.now() - silentMs).toISOString(), cause };
  }

  #bury(life: Life, end: ChildEnd): void {
    if (this.#life !== life) return;
    this.#leave('ended');
    const lastState = this.state;
    life.heartbeat.stop();
    this.#life = null;
    this.triggerFaults = [];
    this.errorsWith200.clear();
    this.port = null;
    this.plainPort = null;
    this.#move('dead');
    const uptimeMs = Math.round(performance.now() - life.startedAt);
    const asked = lastState === 'draining' && end.code === 0;
    this.#options.log[asked ? 'info' : 'warn']('gateway ended', {
      pid: life.child.pid,
      ...end,
      lastState,
      uptimeMs,
      reason: life.reason,
    });
    // Those of before: data left by this process waits for the next one.
    this.#settleService(({ reject }) => reject(notTaken()));
    life.changes.gone();
    life.calls.gone();
    if (this.#stopped) this.#ended?.();
    else this.#restart(life);
  }

  #restart(life: Life): void {
    const delayMs = this.#policy.delayMs(life.readyAt === null ? null : performance.now() - life.readyAt);
    this.restarts++;
    if (delayMs === 0) this.#spawn();
    else this.#restartTimer = setTimeout(() => this.#spawn(), delayMs);
  }

  async #drain(): Promise<void> {
    if (this.#restartTimer) clearTimeout(this.#restartTimer);
    this.#firstReady?.promise.catch(() => {});
    this.#settleService(({ reject }) => reject(notTaken()));
    const life = this.#life;
    if (!life) return this.#firstReady?.reject(gatewayDown());
    const ended = new Promise<void>((resolve) => (this.#ended = resolve));
    if (this.state !== 'stopping') this.#move('draining');
    life.child.send({ type: 'stop', graceMs: DRAIN_MS_MAX });
    const timer = setTimeout(() => this.#kill(life, 'it did not end in time'), DRAIN_MS_MAX + CLOSE_MS_MAX);
    await ended;
    clearTimeout(timer);
    this.#firstReady?.reject(gatewayDown());
  }

  /** The pipeline was restarted or stopped: its failure at the last snapshot no longer applies. */
  #forget(project: string, pipeline: string): void {
    this.failed = this.failed.filter((entry) => entry.project !== project || entry.pipeline !== pipeline);
  }

  #move(to: GatewayState): void {
    if (!mayMove(this.state, to)) throw new Error(`the gateway cannot go from ${this.state} to ${to}`);
    this.state = to;
    this.since = new Date().toISOString();
    this.#emit({ kind: 'state' });
  }

  #emit(event: GatewayEvent | { kind: 'state' }): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#options.log.error('a listener of gateway events failed', { error });
      }
    }
  }
}

function notTaken(): SluiceError {
  return new SluiceError(
    'conflict',
    'The gateway ended before it applied the settings, and the next one did not start with them; the log has the reason.',
  );
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  return new Supervisor(options);
}
