import type { ConnectionTest } from '#common/control/messages.ts';
import type { Logger } from '#common/node/log.ts';
import { NodeError } from '#sdk';
import { createBackoff } from '../backoff.ts';
import type { ProviderParts, TagProvider } from '../contract.ts';
import type { DeviceProviders } from '../providers.ts';
import { DeviceProxy, type ProxyHost, type TagWrite } from './device-proxy.ts';
import { DeviceThread } from './device-thread.ts';
import { IDLE_MS, PROVIDER_CLOSE_MS_MAX, SETTINGS_MS_MAX, SETTINGS_ACK_MS_MAX, STEADY_MS } from './limits.ts';
import type { AnyDevice, Answer, Order, Report } from './messages.ts';
import { PendingProbes } from './pending-probes.ts';
import { PendingWrites } from './pending-writes.ts';

/**
 * The providers for devices, in a separate thread: their libraries block for a second when they are loaded, and their
 * errors must not end the gateway.
 *
 * States: none (nothing is open) → starting → ready → none (nothing was open for IDLE_MS). From starting and ready →
 * ended, when the thread dies or hangs: every tag is lost immediately, pending requests fail, and with back-off
 * (RECONNECT_MS_MIN doubling to RECONNECT_MS_MAX) a new thread is started and receives all state again. Closed is
 * final.
 *
 * Limits: limits.ts. Security: the thread has its own target guard, with the list of allowed targets from its start; a
 * change of the list takes effect once the thread has applied it or has ended: links that it refuses are closed then.
 * Secrets of connections are in the memory of both threads. Known weaknesses: one thread for all devices: if a library
 * crashes on data from one device, the tags of the others become bad during each restart. If the thread is lost during
 * a write, the write may or may not have reached its device.
 */
export interface DriversParts {
  readonly dataDir: string;
  readonly log: Logger;
  /** Allowed internal targets: `host:port` each. */
  readonly allowed: readonly string[];
  /** For tests: a module with other `drivers`. */
  readonly driversUrl?: string;
  readonly pingMs?: number;
  readonly idleMs?: number;
}

type State =
  | { readonly is: 'none' | 'closed' }
  | { readonly is: 'starting' | 'ready'; readonly thread: DeviceThread; readonly startedAt: number }
  | { readonly is: 'ended'; readonly timer: NodeJS.Timeout };

const RESTARTING = 'the device drivers are being restarted';
const STOPPING = 'the gateway is stopping';

export class DeviceDrivers {
  readonly #parts: DriversParts;
  readonly #proxies = new Map<number, DeviceProxy>();
  readonly #closes = new Map<number, () => void>();
  /** Changes of settings for which the thread has not yet confirmed that all effects were reported. */
  readonly #changes = new Map<number, () => void>();
  readonly #writes = new PendingWrites((order) => this.#order(order));
  readonly #probes = new PendingProbes();
  readonly #backoff = createBackoff();
  readonly #host: ProxyHost;
  #allowed: readonly string[];
  #settled = Promise.resolve();
  #state: State = { is: 'none' };
  #idle: NodeJS.Timeout | undefined;
  /** Threads that were ended but may still be running. */
  readonly #dying = new Set<Promise<void>>();
  #lastId = 0;
  #lastChange = 0;

  constructor(parts: DriversParts) {
    this.#parts = parts;
    this.#allowed = parts.allowed;
    const trouble = (): string | null => this.#trouble;
    this.#host = {
      get trouble() {
        return trouble();
      },
      order: (order) => this.#order(order),
      write: (id, write, signal) => this.#write(id, write, signal),
      close: (id) => this.#close(id),
    };
  }

  readonly providers: DeviceProviders = {
    opcua: (connection, parts) => this.#open(connection, parts),
    modbus: (connection, parts) => this.#open(connection, parts),
    mqtt: (connection, parts) => this.#open(connection, parts),
  };

  /** Connects to a device once and returns the result. Errors of the device are results, not rejections. */
  async probe(device: AnyDevice): Promise<ConnectionTest> {
    if (this.#trouble !== null) return { ok: false, text: this.#trouble, durationMs: 0 };
    try {
      return await this.#probes.run((probe) => this.#order({ do: 'probe', probe, device }));
    } finally {
      this.#restIfIdle();
    }
  }

  /**
   * Resolves when nothing is dialled, read or written any more that only the previous list allowed, and the affected
   * tags show it. The sockets are closed then, except that of an OPC UA server: its closing handshake may take a second
   * longer.
   */
  settings(allowed: readonly string[]): Promise<void> {
    if (JSON.stringify(allowed) === JSON.stringify(this.#allowed)) return this.#settled;
    this.#allowed = allowed;
    this.#settled = this.#tellAllowed();
    return this.#settled;
  }

  /** Ends the thread immediately and unconditionally; it is restarted automatically. */
  restart(why: string): void {
    if ('thread' in this.#state) this.#state.thread.fail(why);
  }

  /** The providers are closed by then; connections that are still open are cut off. */
  async close(): Promise<void> {
    const before = this.#state;
    this.#state = { is: 'closed' };
    clearTimeout(this.#idle);
    if (before.is === 'ended') clearTimeout(before.timer);
    this.#failAll(STOPPING);
    if ('thread' in before) await before.thread.end();
    await Promise.all(this.#dying);
  }

  async #tellAllowed(): Promise<void> {
    if ('thread' in this.#state) {
      const { thread } = this.#state;
      const change = ++this.#lastChange;
      const { promise: acknowledged, resolve } = Promise.withResolvers<void>();
      this.#changes.set(change, resolve);
      thread.order({ do: 'settings', change, allowed: this.#allowed });
      const limit = setTimeout(() => thread.fail('it does not take the settings'), SETTINGS_MS_MAX);
      await thread.taken();
      clearTimeout(limit);
      await this.#acknowledged(change, acknowledged);
    }
    await Promise.all(this.#dying);
  }

  /**
   * Late reports delay nothing and are no reason to end a thread: the connections that they describe are already
   * closed.
   */
  async #acknowledged(change: number, acknowledged: Promise<void>): Promise<void> {
    const limit = setTimeout(() => this.#changes.get(change)?.(), SETTINGS_ACK_MS_MAX);
    await acknowledged;
    clearTimeout(limit);
    this.#changes.delete(change);
  }

  get #trouble(): string | null {
    if (this.#state.is === 'closed') return STOPPING;
    return this.#state.is === 'ended' ? RESTARTING : null;
  }

  #open(device: AnyDevice, { project, sink }: ProviderParts): TagProvider {
    const id = ++this.#lastId;
    const proxy = new DeviceProxy({ id, project, device, sink, host: this.#host });
    if (this.#trouble === null) this.#order({ do: 'open', id, project, device });
    this.#proxies.set(id, proxy);
    return proxy;
  }

  async #write(id: number, write: TagWrite, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#trouble !== null) throw new NodeError('device_unreachable', this.#trouble);
    await this.#writes.write({ id, project: this.#proxies.get(id)?.project ?? '' }, write, signal);
  }

  async #close(id: number): Promise<void> {
    if (!this.#proxies.delete(id) || !('thread' in this.#state)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closes.set(id, resolve);
    this.#order({ do: 'close', id });
    const limit = setTimeout(() => {
      this.#parts.log.warn('the connection to a device was not closed in time', { afterMs: PROVIDER_CLOSE_MS_MAX });
      resolve();
    }, PROVIDER_CLOSE_MS_MAX);
    await promise;
    clearTimeout(limit);
    this.#closes.delete(id);
    this.#restIfIdle();
  }

  /** Without a thread there is no receiver: a new one receives all state. */
  #order(order: Order): void {
    clearTimeout(this.#idle);
    if (this.#state.is === 'none') this.#start();
    if ('thread' in this.#state) this.#state.thread.order(order);
  }

  #start(): void {
    const { dataDir, driversUrl = null, pingMs } = this.#parts;
    const parts = { dataDir, driversUrl, allowed: this.#allowed, ...(pingMs !== undefined && { pingMs }) };
    const startedAt = performance.now();
    const thread = new DeviceThread(parts, {
      ready: () => (this.#state = { is: 'ready', thread, startedAt }),
      report: (report) => this.#reported(report),
      lost: (why) => this.#lost(thread, startedAt, why),
    });
    this.#state = { is: 'starting', thread, startedAt };
    for (const proxy of this.#proxies.values()) proxy.reopen();
  }

  #lost(thread: DeviceThread, startedAt: number, why: string): void {
    if (performance.now() - startedAt > STEADY_MS) this.#backoff.reset();
    const afterMs = this.#backoff.next();
    const gone = thread.gone.finally(() => this.#dying.delete(gone));
    this.#dying.add(gone);
    this.#state = { is: 'ended', timer: setTimeout(() => this.#again(), afterMs) };
    this.#parts.log.error('the device drivers ended and are restarted', { reason: why, afterMs });
    this.#failAll(RESTARTING);
  }

  #again(): void {
    this.#state = { is: 'none' };
    if (this.#proxies.size > 0) this.#start();
  }

  #failAll(reason: string): void {
    for (const proxy of this.#proxies.values()) proxy.lost(reason);
    this.#writes.failAll(reason);
    this.#probes.failAll(reason);
    for (const done of [...this.#closes.values(), ...this.#changes.values()]) done();
  }

  #reported({ news, answers, lines }: Report): void {
    const { log } = this.#parts;
    for (const { level, message, fields } of lines) log[level](message, fields);
    for (const one of news) this.#proxies.get(one.id)?.take(one);
    for (const answer of answers) this.#answered(answer);
  }

  #answered(answer: Answer): void {
    switch (answer.to) {
      case 'write':
        return this.#writes.answered(answer.write, answer.error);
      case 'probe':
        return this.#probes.answered(answer);
      case 'close':
        return this.#closes.get(answer.id)?.();
      case 'settings':
        return this.#changes.get(answer.change)?.();
    }
  }

  #restIfIdle(): void {
    if (this.#proxies.size + this.#closes.size + this.#probes.size > 0 || !('thread' in this.#state)) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#rest(), this.#parts.idleMs ?? IDLE_MS);
  }

  #rest(): void {
    if (!('thread' in this.#state)) return;
    const ended = this.#state.thread.end().finally(() => this.#dying.delete(ended));
    this.#dying.add(ended);
    this.#state = { is: 'none' };
  }
}
