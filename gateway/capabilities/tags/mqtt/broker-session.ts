import { NodeError } from '#sdk';
import type { TagSink } from '../contract.ts';
import { ConnectionLost, abortable } from '../dial.ts';
import type { BrokerLink } from './broker-link.ts';
import { MessageReader, type Message, type MqttTag, payloadOf } from './payload.ts';

/**
 * The work on one connection: subscribes to each topic once, however many tags read it, delivers messages to tags, and
 * writes.
 *
 * A tag reads bad until a message of its topic has arrived on this connection: earlier values may be stale. Topics with
 * new tags are subscribed again, because the broker then repeats retained messages.
 *
 * Limits: TOPICS_PER_SUBSCRIBE_MAX; WRITES_IN_FLIGHT_MAX unacknowledged writes; ACK_MS_MAX per acknowledgement.
 */
const TOPICS_PER_SUBSCRIBE_MAX = 100;
const WRITES_IN_FLIGHT_MAX = 100;
const ACK_MS_MAX = 10_000;

export class BrokerSession {
  readonly #link: BrokerLink;
  readonly #sink: TagSink;
  #topics: ReadonlyMap<string, readonly MqttTag[]> = new Map();
  readonly #subscribed = new Set<string>();
  readonly #toSubscribe = new Set<string>();
  #syncing = false;
  readonly #failWrites = new Set<(lost: ConnectionLost) => void>();
  #inFlight = 0;

  constructor(link: BrokerLink, tags: readonly MqttTag[], sink: TagSink) {
    this.#link = link;
    this.#sink = sink;
    void link.ended.then((lost) => {
      for (const fail of this.#failWrites) fail(lost);
    });
    this.configure(tags, new Set(tags.map(({ path }) => path)));
  }

  /** Resolves with the reason when the connection ends. */
  get ended(): Promise<ConnectionLost> {
    return this.#link.ended;
  }

  /** `fresh`: paths of tags that have no value yet. */
  configure(tags: readonly MqttTag[], fresh: ReadonlySet<string>): void {
    this.#topics = Map.groupBy(tags, ({ source }) => source.topic);
    this.#sink.lost(fresh, `no message from ${this.#link.where} yet`);
    for (const { path, source } of tags) if (fresh.has(path)) this.#toSubscribe.add(source.topic);
    void this.#sync();
  }

  deliver(topic: string, message: Message): void {
    const reader = new MessageReader(message);
    for (const tag of this.#topics.get(topic) ?? []) this.#sink.sample(tag.path, reader.sampleOf(tag));
  }

  /**
   * Throws NodeError `tag_write_failed`, `device_unreachable`, `target_refused`; the reason of the signal if that
   * aborts.
   */
  async write(tag: MqttTag, value: unknown, signal: AbortSignal): Promise<void> {
    const { topic, writeTopic = topic, qos, retain } = tag.source;
    const payload = payloadOf(tag, value);
    if (this.#inFlight >= WRITES_IN_FLIGHT_MAX)
      throw new NodeError('tag_write_failed', `${WRITES_IN_FLIGHT_MAX} writes wait for ${this.#link.where} already`);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = ({ message, cause }: ConnectionLost) =>
      reject(unreachable(tag, new ConnectionLost(`${message}; whether it was taken is not known`, { cause })));
    const late = () => fail(new ConnectionLost(`no acknowledgement within ${ACK_MS_MAX / 1000} s`));
    const limit = setTimeout(late, ACK_MS_MAX);
    this.#failWrites.add(fail);
    this.#inFlight++;
    this.#link.publish(writeTopic, payload, { qos, retain }, (error) => {
      this.#inFlight--;
      if (error === null) resolve();
      else
        fail(error instanceof ConnectionLost ? error : new ConnectionLost(`${this.#link.where} closed the connection`));
    });
    try {
      await abortable(promise, signal);
    } finally {
      clearTimeout(limit);
      this.#failWrites.delete(fail);
    }
  }

  /** One at a time; requests that arrive meanwhile are handled in the same pass. */
  async #sync(): Promise<void> {
    if (this.#syncing) return;
    this.#syncing = true;
    try {
      while (await this.#step());
    } catch {
      // Usually the connection has ended, which is reported separately; otherwise the state of the subscriptions is
      // unknown.
      this.#link.close();
    } finally {
      this.#syncing = false;
    }
  }

  /** False when there is nothing to do. */
  async #step(): Promise<boolean> {
    const gone = [...this.#subscribed].filter((topic) => !this.#topics.has(topic)).slice(0, TOPICS_PER_SUBSCRIBE_MAX);
    if (gone.length > 0) {
      for (const topic of gone) this.#subscribed.delete(topic);
      await this.#link.unsubscribe(gone);
      return true;
    }
    const qos = this.#nextQos();
    if (qos === null) return false;
    const batch = [...this.#toSubscribe]
      .filter((topic) => this.#qosOf(topic) === qos)
      .slice(0, TOPICS_PER_SUBSCRIBE_MAX);
    for (const topic of batch) this.#toSubscribe.delete(topic);
    const refused = new Set(await this.#link.subscribe(batch, qos));
    for (const topic of batch) {
      if (refused.has(topic)) this.#refuse(topic);
      else this.#subscribed.add(topic);
    }
    return true;
  }

  #nextQos(): 0 | 1 | null {
    for (const topic of this.#toSubscribe) {
      if (this.#topics.has(topic)) return this.#qosOf(topic);
      this.#toSubscribe.delete(topic);
    }
    return null;
  }

  #qosOf(topic: string): 0 | 1 {
    return (this.#topics.get(topic) ?? []).some(({ source }) => source.qos > 0) ? 1 : 0;
  }

  #refuse(topic: string): void {
    const paths = (this.#topics.get(topic) ?? []).map(({ path }) => path);
    this.#sink.lost(paths, `${this.#link.where} refuses the subscription to "${topic}"`);
  }
}

export function unreachable(tag: MqttTag, { code, message }: ConnectionLost): NodeError {
  return new NodeError(code, `tag "${tag.path}" cannot be written: ${message}`);
}
