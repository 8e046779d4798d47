import { randomBytes } from 'node:crypto';
import type { TagDefinition } from '#common/model/tag.ts';
import type { TargetGuard } from '#net/target-guard.ts';
import { NodeError } from '#sdk';
import { RECONNECT_MS_MAX } from '../backoff.ts';
import type { ProviderParts, TagProvider } from '../contract.ts';
import { ConnectionLost, whereIs } from '../dial.ts';
import { NeededConnection } from '../needed-connection.ts';
import { isSameTag } from '../same-tag.ts';
import { refuseLate, type SendBefore } from '../send-before.ts';
import { BrokerLink } from './broker-link.ts';
import { BrokerSession, unreachable } from './broker-session.ts';
import { KEEP_ALIVE_SECONDS } from './keep-alive.ts';
import type { MqttConnection } from './open-stream.ts';
import { type MqttTag, faultOf } from './payload.ts';

export interface MqttParts extends ProviderParts {
  readonly guard: TargetGuard;
  /** 0 ≤ x < 1; for tests. */
  readonly random?: () => number;
  /** KEEP_ALIVE_SECONDS; for tests. */
  readonly keepAliveSeconds?: number;
}

/**
 * After a session of this many keep-alive periods, the next delay is the shortest again. By then, each side would have
 * closed the connection if it had received nothing (after 1.5 periods), so the connection works in both directions. A
 * client that is disconnected sooner waits longer and longer; a client that is disconnected later reconnects
 * immediately. If two clients use one client ID, one waits half a minute each time and the other has the session: four
 * takeovers per minute.
 */
const SERVED_KEEP_ALIVES = 2;
/**
 * Longer than any delay, because two clients with one client ID take the session from each other: each keeps it for as
 * long as the other waits.
 */
const SHORT_SESSION_MS_MAX = 2 * RECONNECT_MS_MAX;
/** This many consecutive short sessions, each closed by the broker without a reason, are not a coincidence. */
const SHORT_SESSIONS_MIN = 2;

/**
 * Tags of one MQTT broker. The broker is dialled while there are tags, with back-off. States: disconnected (every tag
 * bad with the reason) and in session (`BrokerSession`).
 */
export function createMqttProvider(connection: MqttConnection, parts: MqttParts): TagProvider {
  return new MqttProvider(connection, parts);
}

/** MQTT 3.1.1 servers must accept only up to 23 characters. */
export function clientIdOf({ clientId }: MqttConnection): string {
  return clientId === '' ? `sluice-${randomBytes(8).toString('hex')}` : clientId;
}

class MqttProvider implements TagProvider {
  readonly #needed: NeededConnection;
  readonly #connection: MqttConnection;
  readonly #parts: MqttParts;
  readonly #clientId: string;
  /** The readable tags, by path. */
  #tags: ReadonlyMap<string, MqttTag> = new Map();
  #session: BrokerSession | null = null;
  #away: ConnectionLost;
  /** Number of consecutive ones. */
  #shortSessions = 0;

  constructor(connection: MqttConnection, parts: MqttParts) {
    this.#connection = connection;
    this.#parts = parts;
    this.#needed = new NeededConnection(
      { session: (signal, alive) => this.#runSession(signal, alive), ended: (lost) => this.#ended(lost) },
      parts.random,
    );
    this.#clientId = clientIdOf(connection);
    this.#away = this.#notYet();
  }

  configure(tags: readonly TagDefinition[]): void {
    const known = this.#tags;
    const mine = tags.filter(isMqtt);
    for (const tag of mine) {
      const fault = faultOf(tag);
      if (fault !== null) this.#parts.sink.lost([tag.path], fault);
    }
    const readable = mine.filter((tag) => faultOf(tag) === null);
    this.#tags = new Map(readable.map((tag) => [tag.path, tag]));
    const fresh = new Set(readable.filter((tag) => !isSameTag(known.get(tag.path), tag)).map(({ path }) => path));
    if (this.#session === null) this.#parts.sink.lost(fresh, this.#away.message);
    else this.#session.configure(readable, fresh);
    this.#keepWhileNeeded();
  }

  async write(tag: TagDefinition, value: unknown, signal: AbortSignal, sendBefore: SendBefore = null): Promise<void> {
    signal.throwIfAborted();
    if (!isMqtt(tag)) throw new TypeError('not a tag of this provider');
    const fault = faultOf(tag);
    if (fault !== null) throw new NodeError('tag_write_failed', `tag "${tag.path}" cannot be written: ${fault}`);
    if (this.#session === null) throw unreachable(tag, this.#away);
    refuseLate(tag.path, sendBefore);
    await this.#session.write(tag, value, signal);
  }

  close(): Promise<void> {
    return this.#needed.close();
  }

  /** A connection without tags is not kept open. */
  #keepWhileNeeded(): void {
    if (!this.#needed.keepWhile(this.#tags.size > 0)) return;
    this.#session = null;
    this.#away = this.#notYet();
  }

  #notYet(): ConnectionLost {
    return new ConnectionLost(`not connected to ${whereIs(this.#connection)} yet`);
  }

  async #runSession(signal: AbortSignal, alive: () => void): Promise<ConnectionLost> {
    let link: BrokerLink | null = null;
    let session: BrokerSession | null = null;
    let served: NodeJS.Timeout | undefined;
    const close = () => link?.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      const { guard, sink, keepAliveSeconds = KEEP_ALIVE_SECONDS } = this.#parts;
      const parts = { guard, clientId: this.#clientId, keepAliveSeconds, onMessage: deliver };
      link = await BrokerLink.open(this.#connection, parts, signal);
      signal.throwIfAborted();
      const acceptedMs = performance.now();
      served = setTimeout(alive, SERVED_KEEP_ALIVES * keepAliveSeconds * 1_000);
      this.#parts.log.info('an MQTT broker accepted the connection', this.#names());
      session = new BrokerSession(link, [...this.#tags.values()], sink);
      this.#session = session;
      const lost = await session.ended;
      return this.#likely(lost, link.endedByBroker && performance.now() - acceptedMs < SHORT_SESSION_MS_MAX);
    } catch (error) {
      this.#shortSessions = 0;
      if (error instanceof ConnectionLost) return error;
      if (!signal.aborted) this.#parts.log.error('a connection to an MQTT broker failed', { ...this.#names(), error });
      return new ConnectionLost(`the connection to ${whereIs(this.#connection)} failed`, { cause: error });
    } finally {
      signal.removeEventListener('abort', close);
      clearTimeout(served);
      if (this.#session === session) this.#session = null;
      close();
    }

    function deliver(...arrived: Parameters<BrokerSession['deliver']>): void {
      session?.deliver(...arrived);
    }
  }

  /** MQTT 3.1.1 has no reason code for a session that another client took over: the connection is just closed. */
  #likely(lost: ConnectionLost, short: boolean): ConnectionLost {
    this.#shortSessions = short ? this.#shortSessions + 1 : 0;
    const { clientId } = this.#connection;
    if (this.#shortSessions < SHORT_SESSIONS_MIN || clientId === '') return lost;
    return new ConnectionLost(
      `${whereIs(this.#connection)} closes the connection soon after it accepts it; does another client use the client id "${clientId}"?`,
    );
  }

  #ended(lost: ConnectionLost): void {
    const { message: reason } = lost;
    if (reason !== this.#away.message)
      this.#parts.log.warn('an MQTT broker cannot be reached', { ...this.#names(), reason });
    this.#away = lost;
    this.#parts.sink.lost(this.#tags.keys(), reason);
  }

  #names(): { project: string; connection: string } {
    return { project: this.#parts.project, connection: this.#connection.id };
  }
}

function isMqtt(tag: TagDefinition): tag is MqttTag {
  return tag.source.provider === 'mqtt';
}
