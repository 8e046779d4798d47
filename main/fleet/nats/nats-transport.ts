import { type KeyObject, sign } from 'node:crypto';
import { format } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import type { Authenticator, NatsConnection } from '@nats-io/nats-core';
import { connect, type NodeConnectionOptions } from '@nats-io/transport-node';
import type { Logger } from '#common/node/log.ts';
import { privateKeyOf, type RawPair } from '#common/node/fleet/raw-keys.ts';
import type { Message, Transport } from '../transport.ts';
import { DIRECT_GET } from './config.ts';
import { nkeyOf } from './jwt.ts';

/** A connection to NATS. */
export interface NatsUser {
  /** Also the name of its inbox. */
  name: string;
  jwt: string;
  pair: RawPair;
}

export interface NatsOptions {
  /** `host:port`. */
  server: string;
  /** PEM: the only authority that may have issued the server's certificate. */
  authority: string;
  user: NatsUser;
  log: Logger;
}

const REQUEST_MS = 2_000;
const CONNECT_MS = 5_000;
const RETRY_MS = 1_000;

/** The connection of a machine to its hub: made in the background, and again after each loss. */
export function connectNats(options: NatsOptions): NatsTransport {
  return new NatsTransport(options);
}

/** One attempt; rejects if the server cannot be reached or refuses the user. */
export async function connectOnce({ server, authority, user, log }: NatsOptions): Promise<NatsTransport> {
  const transport = new NatsTransport({ server, authority, user, log }, false);
  await transport.first;
  return transport;
}

/** Its pings notice a silent link within 6 s; the library's own two minutes are too long for a check-in every 10 s. */
function connectOptions({ server, authority, user }: NatsOptions, again: boolean): NodeConnectionOptions {
  return {
    servers: server,
    name: user.name,
    tls: { ca: authority, handshakeFirst: true },
    authenticator: authenticator(user),
    inboxPrefix: `_INBOX.${user.name}`,
    timeout: CONNECT_MS,
    reconnect: again,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    reconnectJitter: 500,
    reconnectJitterTLS: 500,
    pingInterval: 2_000,
    maxPingOut: 2,
    // Otherwise the client closes permanently after two refused log-ins.
    ignoreAuthErrorAbort: again,
    ignoreClusterUpdates: true,
    noAsyncTraces: true,
  };
}

type Listener = (message: Message) => void;

export class NatsTransport implements Transport {
  connected = false;
  /** The first connection; without `again`, its failure. */
  readonly first: Promise<NatsConnection>;
  readonly #options: NatsOptions;
  readonly #again: boolean;
  readonly #listeners: ((connected: boolean) => void)[] = [];
  readonly #subscriptions: (readonly [string, Listener])[] = [];
  #connection: NatsConnection | null = null;
  #closed = false;

  constructor(options: NatsOptions, again = true) {
    this.#options = options;
    this.#again = again;
    quietConsole(options.log);
    this.first = this.#open();
    this.first.catch(() => {});
  }

  onChange(listener: (connected: boolean) => void): void {
    this.#listeners.push(listener);
  }

  publish(subject: string, bytes: Uint8Array): void {
    if (this.connected) this.#connection?.publish(subject, bytes);
  }

  async request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    const { data } = await this.#current().request(subject, bytes, { timeout: timeoutMs });
    return data;
  }

  subscribe(subject: string, listener: Listener): void {
    this.#subscriptions.push([subject, listener]);
    if (this.#connection) this.#listen(this.#connection, subject, listener);
  }

  async lastOf(stream: string, subject: string): Promise<Uint8Array | null> {
    const { headers, data } = await this.#current().request(`${DIRECT_GET}.${stream}.${subject}`, undefined, {
      timeout: REQUEST_MS,
    });
    const { code = 0, description = '' } = headers ?? {};
    if (code === 404) return null;
    if (code !== 0) throw new Error(`the stream ${stream} answered ${code} ${description}`);
    return data;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#change(false);
    await this.#connection?.close();
  }

  #current(): NatsConnection {
    if (!this.connected || this.#connection === null) throw new Error('there is no connection to the hub');
    return this.#connection;
  }

  /** In a loop of its own: the library's cannot be ended before its first connection. */
  async #open(): Promise<NatsConnection> {
    for (;;) {
      try {
        const connection = await connect(connectOptions(this.#options, this.#again));
        if (this.#closed) await connection.close();
        else this.#opened(connection);
        return connection;
      } catch (error) {
        if (!this.#again || this.#closed) throw error;
        this.#options.log.debug('no connection to the hub yet', { error });
        await wait(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  #opened(connection: NatsConnection): void {
    this.#connection = connection;
    for (const [subject, listener] of this.#subscriptions) this.#listen(connection, subject, listener);
    void this.#watch(connection);
    this.#change(true);
  }

  #listen(connection: NatsConnection, subject: string, listener: Listener): void {
    connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return;
        const mayAnswer = isInbox(message.reply);
        const respond = (bytes: Uint8Array): void => void (mayAnswer && this.connected && message.respond(bytes));
        listener({ subject: message.subject, bytes: message.data, respond });
      },
    });
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') this.#change(false);
      if (type === 'reconnect') this.#change(true);
      this.#options.log.debug('connection of the fleet', { status: type });
    }
  }

  #change(connected: boolean): void {
    if (this.connected === connected) return;
    this.connected = connected;
    for (const listener of this.#listeners) listener(connected);
  }
}

/** The sender chooses the subject of the answer, and the hub may publish anywhere: not into a stream or an API. */
export function isInbox(subject: string | undefined): boolean {
  return subject?.startsWith('_INBOX.') === true;
}

function authenticator(user: NatsUser): Authenticator {
  const nkey = nkeyOf('user', user.pair);
  const key: KeyObject = privateKeyOf('Ed25519', user.pair);
  return (nonce) => ({
    jwt: user.jwt,
    nkey,
    sig: nonce === undefined ? '' : sign(null, Buffer.from(nonce), key).toString('base64url'),
  });
}

/** The library prints the end of a connection on standard output, which belongs to the ready line. */
function quietConsole(log: Logger): void {
  console.log = (...args: unknown[]) => log.debug('client of NATS', { text: format(...args) });
}
