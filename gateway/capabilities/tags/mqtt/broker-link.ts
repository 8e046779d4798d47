import type { Socket } from 'node:net';
import type { IClientOptions, MqttClient } from 'mqtt';
import type { TargetGuard } from '#net/target-guard.ts';
import { ConnectionLost, noAnswer, whereIs, whyNot } from '../dial.ts';
import { Inbox } from './inbox.ts';
import { KeepAlive, silenceMsMax } from './keep-alive.ts';
import { type MqttConnection, openStream } from './open-stream.ts';
import { PACKET_BYTES_MAX, PacketGate } from './packet-gate.ts';
import type { Message } from './payload.ts';

/**
 * One connection to a broker, from dialling until it ends; never used again. MQTT 3.1.1 with a clean session, because
 * every broker supports it. The mqtt client neither reconnects nor keeps state after the end.
 *
 * Limits: CONNECT_MS_MAX for TCP, TLS and the broker's acceptance each; a hanging broker is detected within 1.5
 * keep-alives; PACKET_BYTES_MAX per packet; ACK_MS_MAX for a subscription; those of the inbox. Security: subscriptions
 * ask for at most QoS 1, and the connection to a broker that sends QoS 2 is closed: its messages would have to be kept
 * until it releases them. A tag holds the latest value, so a duplicate message does no harm.
 */
const CONNECT_MS_MAX = 5_000;
const ACK_MS_MAX = 10_000;
/** A reason code with this bit means failure (MQTT 3.1.1, 3.9.3). */
const REFUSED_BIT = 0x80;

const REFUSALS: Readonly<Record<number, string>> = {
  1: 'it does not speak MQTT 3.1.1',
  2: 'it does not take the client id',
  3: 'it is not available',
  4: 'user or password is wrong',
  5: 'the user is not allowed to connect',
};

export interface BrokerLinkParts {
  readonly guard: TargetGuard;
  readonly clientId: string;
  readonly keepAliveSeconds: number;
  readonly onMessage: (topic: string, message: Message) => void;
}

export class BrokerLink {
  readonly #connection: MqttConnection;
  readonly #client: MqttClient;
  readonly #stream: Socket;
  readonly #inbox: Inbox;
  readonly #keepAlive: KeepAlive;
  #lost: ConnectionLost | null = null;
  readonly #end = Promise.withResolvers<ConnectionLost>();

  /**
   * Resolves when the broker has accepted the connection. Throws ConnectionLost; the reason of the signal if that
   * aborts.
   */
  static async open(connection: MqttConnection, parts: BrokerLinkParts, signal: AbortSignal): Promise<BrokerLink> {
    const { MqttClient } = await import('mqtt');
    const stream = await openStream(connection, parts.guard, CONNECT_MS_MAX, signal);
    const client = new MqttClient(() => stream, optionsOf(connection, parts));
    const link = new BrokerLink(connection, parts, stream, client);
    const close = () => link.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      await link.#accepted();
      return link;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', close);
    }
  }

  private constructor(connection: MqttConnection, parts: BrokerLinkParts, stream: Socket, client: MqttClient) {
    this.#connection = connection;
    this.#stream = stream;
    this.#client = client;
    this.#inbox = new Inbox(parts.onMessage);
    this.#keepAlive = new KeepAlive({
      seconds: parts.keepAliveSeconds,
      ping: () => client.sendPing(),
      silent: () => this.#leave(noAnswer(connection, silenceMsMax(parts.keepAliveSeconds))),
    });
    const gate = new PacketGate();
    stream.on('data', (chunk: Buffer) => {
      this.#keepAlive.heard();
      if (!gate.passes(chunk)) this.#leave(`${this.where} sends a message of more than ${PACKET_BYTES_MAX} bytes`);
    });
    stream.once('error', (error) => this.#leave(whyNot(connection, error), error));
    stream.once('close', () => this.#leave(this.#closed));
    client.once('connect', () => this.#keepAlive.start());
    client.on('error', (error) => this.#leave(this.#reasonOf(error), error));
    client.on('packetreceive', (packet) => {
      if (packet.cmd === 'publish' && packet.qos === 2)
        this.#leave(`${this.where} sends with QoS 2, which was not asked for`);
    });
    client.handleMessage = (packet, done) => {
      // A copy: the bytes of the packet are part of a larger chunk that would otherwise stay in memory.
      this.#inbox.accept(packet.topic, Buffer.from(packet.payload), () => done());
    };
  }

  /** Resolves with the reason when the connection is over. */
  get ended(): Promise<ConnectionLost> {
    return this.#end.promise;
  }

  /** Closed by the broker without a reason. */
  get endedByBroker(): boolean {
    return this.#lost?.message === this.#closed;
  }

  get where(): string {
    return whereIs(this.#connection);
  }

  /** The same text as that of `whyNot` for a reset. */
  get #closed(): string {
    return `${this.where} closed the connection`;
  }

  /** Topics that the broker refused. Throws ConnectionLost. */
  subscribe(topics: readonly string[], qos: 0 | 1): Promise<string[]> {
    return this.#acknowledged((done) => {
      this.#client.subscribe([...topics], { qos }, (error, _granted, packet) => {
        const codes = packet?.granted as readonly number[] | undefined;
        if (codes?.length === topics.length)
          return done(
            null,
            topics.filter((_, index) => ((codes[index] ?? REFUSED_BIT) & REFUSED_BIT) !== 0),
          );
        done(error ?? new Error('no answer for each topic'), []);
      });
    });
  }

  /** Throws ConnectionLost. */
  unsubscribe(topics: readonly string[]): Promise<void> {
    return this.#acknowledged((done) => {
      this.#client.unsubscribe([...topics], (error) => done(error ?? null, undefined));
    });
  }

  /** `done` is called when the broker has acknowledged (QoS 1, 2) or the bytes were sent (QoS 0), or with an error. */
  publish(
    topic: string,
    payload: string,
    options: { qos: 0 | 1 | 2; retain: boolean },
    done: (error: Error | null) => void,
  ): void {
    if (this.#lost !== null) return done(this.#lost);
    this.#client.publish(topic, payload, options, (error) => done(error ?? null));
  }

  close(): void {
    this.#leave(`the connection to ${this.where} is closed`);
  }

  #accepted(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#client.once('connect', () => resolve());
      void this.ended.then(reject);
    });
  }

  #acknowledged<T>(send: (done: (error: Error | null, value: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== null) throw this.#lost;
      const limit = setTimeout(() => this.#leave(noAnswer(this.#connection, ACK_MS_MAX)), ACK_MS_MAX);
      send((error, value) => {
        clearTimeout(limit);
        if (error === null) return resolve(value);
        reject(this.#leave(this.#reasonOf(error), error));
      });
    });
  }

  #reasonOf(error: unknown): string {
    const { message = '', code } = error instanceof Error ? (error as Error & { code?: unknown }) : {};
    if (message.startsWith('Connection refused'))
      return `${this.where} refuses the client: ${REFUSALS[Number(code)] ?? `code ${String(code)}`}`;
    if (message === 'connack timeout') return noAnswer(this.#connection, CONNECT_MS_MAX);
    if (message === 'Connection closed') return this.#closed;
    if (typeof code === 'string') return whyNot(this.#connection, error);
    return `${this.where} answers with something that is not MQTT`;
  }

  /** The first reason counts. */
  #leave(reason: string, cause?: unknown): ConnectionLost {
    if (this.#lost !== null) return this.#lost;
    const lost = new ConnectionLost(reason, { cause });
    this.#lost = lost;
    this.#keepAlive.stop();
    this.#inbox.close();
    this.#stream.on('error', () => undefined);
    this.#client.end(true);
    this.#stream.destroy();
    this.#end.resolve(lost);
    return lost;
  }
}

function optionsOf(connection: MqttConnection, { clientId, keepAliveSeconds }: BrokerLinkParts): IClientOptions {
  const { user, password } = connection;
  return {
    protocolVersion: 4,
    clean: true,
    clientId,
    keepalive: keepAliveSeconds,
    // The client's own timer for this is never used: see KeepAlive.
    timerVariant: { set: () => 0, clear: () => undefined },
    connectTimeout: CONNECT_MS_MAX,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    // The client's own log prints whole packets, including the password.
    log: () => undefined,
    // The protocol does not allow a password without a user.
    ...(user !== '' && { username: user, ...(password !== null && { password }) }),
  };
}
