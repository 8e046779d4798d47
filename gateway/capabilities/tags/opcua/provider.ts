import type { ConnectionOf } from '#common/model/connection.ts';
import type { TagDefinition } from '#common/model/tag.ts';
import { NodeError } from '#sdk';
import type { TargetGuard } from '#net/target-guard.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { RECONNECT_MS_MAX, RECONNECT_MS_MIN } from '../backoff.ts';
import type { ProviderParts, TagProvider } from '../contract.ts';
import { isRefusal } from '../dial.ts';
import { peerName } from './address.ts';
import { TAGS_PER_CONNECTION_MAX, WRITES_IN_FLIGHT_MAX } from './limits.ts';
import { type Link, openLink } from './link.ts';
import { reasonOf } from './reason.ts';
import { type OpcuaTag, Subscriptions } from './subscriptions.ts';
import type { SendBefore } from '../send-before.ts';
import { abortOf, unlessAborted } from './timing.ts';
import { badSample } from './values.ts';
import { type Writer, createWriter } from './writer.ts';

/**
 * Tags of one OPC UA server.
 *
 * States: idle (no tags yet) → connecting → serving → waiting → connecting … → closed. When the server is lost, every
 * tag is notified first; the next session begins with fresh values.
 *
 * Limits: TAGS_PER_CONNECTION_MAX, WRITES_IN_FLIGHT_MAX; others in limits.ts.
 * Security: see server-trust.ts, settings.ts and discovery.ts; only the address that the guard checked is dialled.
 * Known weaknesses: a write whose session ends before the response may or may not have reached the device. Tags beyond
 * the limit read bad. Methods, events and history of the server are not used.
 */
export function createOpcuaProvider(
  connection: ConnectionOf<'opcua'> & { id: string },
  parts: ProviderParts & { guard: TargetGuard; dataDir: string },
): TagProvider {
  return new OpcuaProvider(connection, parts);
}

interface Live {
  readonly link: Link;
  readonly subscriptions: Subscriptions;
  readonly writer: Writer;
}

const JITTER = 0.2;

class OpcuaProvider implements TagProvider {
  readonly #connection: ConnectionOf<'opcua'> & { id: string };
  readonly #parts: ProviderParts & { guard: TargetGuard; dataDir: string };
  readonly #closing = new AbortController();
  #tags: readonly OpcuaTag[] = [];
  #live: Live | null = null;
  /** `device_unreachable` or `target_refused`; the message is the reason. */
  #away: NodeError;
  #running: Promise<void> | null = null;
  #writes = 0;

  constructor(
    connection: ConnectionOf<'opcua'> & { id: string },
    parts: ProviderParts & { guard: TargetGuard; dataDir: string },
  ) {
    this.#connection = connection;
    this.#parts = parts;
    this.#away = new NodeError('device_unreachable', `connecting to ${peerName(connection)}`);
  }

  configure(tags: readonly TagDefinition[]): void {
    if (this.#closing.signal.aborted) return;
    const ours = tags.filter((tag): tag is OpcuaTag => tag.source.provider === 'opcua');
    this.#tags = ours.slice(0, TAGS_PER_CONNECTION_MAX);
    this.#refuseBeyond(ours.slice(TAGS_PER_CONNECTION_MAX));
    if (this.#live === null) this.#tellLost();
    else this.#live.subscriptions.want(this.#tags);
    if (this.#tags.length > 0) this.#running ??= this.#run();
  }

  async write(tag: TagDefinition, value: unknown, signal: AbortSignal, sendBefore: SendBefore = null): Promise<void> {
    signal.throwIfAborted();
    if (tag.source.provider !== 'opcua') throw new NodeError('tag_write_failed', `"${tag.path}" is no OPC UA tag`);
    if (this.#live === null) throw new NodeError(this.#away.code, this.#away.message);
    if (this.#writes >= WRITES_IN_FLIGHT_MAX) {
      throw new NodeError(
        'tag_write_failed',
        `more than ${WRITES_IN_FLIGHT_MAX} writes are waiting for ${this.#live.link.peer}`,
      );
    }
    this.#writes++;
    try {
      const { writer } = this.#live;
      await unlessAborted(writer.write({ ...tag, source: tag.source }, value, { sendBefore, signal }), signal);
    } finally {
      this.#writes--;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('closed'));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let delayMs = RECONNECT_MS_MIN;
    while (!signal.aborted) {
      const served = await this.#serveOnce();
      if (served) delayMs = RECONNECT_MS_MIN;
      await sleep(delayMs * (1 + JITTER * (2 * Math.random() - 1)), undefined, { signal }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, RECONNECT_MS_MAX);
    }
  }

  /** True when there was a session. */
  async #serveOnce(): Promise<boolean> {
    const { signal } = this.#closing;
    try {
      const link = await openLink(this.#connection, this.#parts, signal);
      await this.#serve(link);
      return true;
    } catch (error) {
      if (!signal.aborted) this.#lose(error);
      return false;
    }
  }

  async #serve(link: Link): Promise<void> {
    const { signal } = this.#closing;
    const { project, sink, log } = this.#parts;
    const subscriptions = new Subscriptions(link, sink);
    this.#live = { link, subscriptions, writer: createWriter(link) };
    log.info('connected to an OPC UA server', { project, connection: this.#connection.id, peer: link.peer });
    subscriptions.want(this.#tags);
    await abortOf(AbortSignal.any([signal, link.ended]));
    if (!signal.aborted) this.#lose(link.ended.reason);
    this.#live = null;
    await link.close();
  }

  #lose(error: unknown): void {
    const { project, log } = this.#parts;
    const reason = reasonOf(error, peerName(this.#connection));
    if (this.#live === null && reason === this.#away.message) return;
    this.#live = null;
    this.#away = new NodeError(isRefusal(error) ? error.code : 'device_unreachable', reason);
    log.warn('an OPC UA server cannot be reached', { project, connection: this.#connection.id, reason });
    this.#tellLost();
  }

  #tellLost(): void {
    this.#parts.sink.lost(
      this.#tags.map((tag) => tag.path),
      this.#away.message,
    );
  }

  #refuseBeyond(tags: readonly OpcuaTag[]): void {
    const reason = `expected at most ${TAGS_PER_CONNECTION_MAX} tags of one OPC UA connection`;
    for (const tag of tags) this.#parts.sink.sample(tag.path, badSample(reason, Date.now()));
  }
}
