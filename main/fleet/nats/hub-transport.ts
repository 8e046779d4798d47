import { jetstream, type JetStreamClient, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { RECORD_BYTES_MAX } from '#common/fleet/records.ts';
import type { Message, StoringTransport } from '../transport.ts';
import { STREAMS, SUBJECTS } from './config.ts';
import type { NatsTransport } from './nats-transport.ts';

const STORE_MS = 5_000;

const SHARED = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  allow_direct: true,
  max_msgs_per_subject: 1,
  max_msg_size: RECORD_BYTES_MAX + 1_024,
} as const;

/** Streams of the hub: signed copies of what its vault holds. */
const CONFIGURED = [
  {
    ...SHARED,
    name: STREAMS.desired,
    subjects: [SUBJECTS.desired('*')],
    republish: { src: SUBJECTS.desired('*'), dest: SUBJECTS.desiredNews('{{wildcard(1)}}') },
  },
  {
    ...SHARED,
    name: STREAMS.revocations,
    subjects: ['sl.rev.*'],
    republish: { src: 'sl.rev.*', dest: 'sl.all.rev.{{wildcard(1)}}' },
  },
];

/** The hub's connection: creates the streams if they do not exist. */
export async function openHubTransport(nats: NatsTransport): Promise<StoringTransport> {
  const connection = await nats.first;
  const manager = await jetstreamManager(connection, { timeout: STORE_MS });
  for (const config of CONFIGURED) await manager.streams.add(config);
  return new HubTransport(nats, jetstream(connection, { timeout: STORE_MS }));
}

class HubTransport implements StoringTransport {
  readonly #nats: NatsTransport;
  readonly #streams: JetStreamClient;

  constructor(nats: NatsTransport, streams: JetStreamClient) {
    this.#nats = nats;
    this.#streams = streams;
  }

  get connected(): boolean {
    return this.#nats.connected;
  }

  onChange(listener: (connected: boolean) => void): void {
    this.#nats.onChange(listener);
  }

  publish(subject: string, bytes: Uint8Array): void {
    this.#nats.publish(subject, bytes);
  }

  request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    return this.#nats.request(subject, bytes, timeoutMs);
  }

  subscribe(subject: string, listener: (message: Message) => void): void {
    this.#nats.subscribe(subject, listener);
  }

  lastOf(stream: string, subject: string): Promise<Uint8Array | null> {
    return this.#nats.lastOf(stream, subject);
  }

  async store(subject: string, bytes: Uint8Array): Promise<void> {
    if (!this.connected) throw new Error('not connected');
    await this.#streams.publish(subject, bytes);
  }

  close(): Promise<void> {
    return this.#nats.close();
  }
}
