import type { PublishResponse } from 'node-opcua-client';
import type { TagOf, TagSink } from '../contract.ts';
import type { Link } from './link.ts';
import {
  ITEMS_PER_CALL_MAX,
  ITEMS_PER_SUBSCRIPTION_MAX,
  ITEM_QUEUE_SIZE,
  NOTIFICATIONS_PER_PUBLISH_MAX,
} from './limits.ts';
import { type Publishing, createPublishing } from './publishing.ts';
import { reasonOf } from './reason.ts';
import { badSample, sampleOf } from './values.ts';

/**
 * The subscriptions of one session: each tag is one monitored item with its own sampling interval. Tags with similar
 * intervals share a subscription, whose publishing interval is the largest of INTERVALS_MS that is not above theirs.
 *
 * `want` may be called at any time; the changes are made one after the other until the desired state is reached. A node
 * that the server refuses makes its tag bad with the status name and is tried again by the next `want`.
 *
 * Limits: ITEMS_PER_CALL_MAX, ITEMS_PER_SUBSCRIPTION_MAX; the caller limits the number of tags.
 */
export type OpcuaTag = TagOf<'opcua'>;

const INTERVALS_MS = [50, 100, 250, 500, 1_000, 2_000, 5_000, 10_000] as const;
/** Interval in which a subscription without changes sends a keep-alive. */
const KEEP_ALIVE_MS = 5_000;
const KEEP_ALIVES_MIN = 3;
/** After this many missed keep-alives, the server drops the subscriptions of a client. */
const LIFETIME_KEEP_ALIVES = 4;
const SILENCE_MS_MAX = 90_000;

interface Item {
  readonly key: string;
  readonly tag: OpcuaTag;
  readonly handle: number;
  readonly subscription: Subscription;
  id: number;
}

interface Subscription {
  readonly id: number;
  readonly intervalMs: number;
  items: number;
}

export class Subscriptions {
  readonly #link: Link;
  readonly #sink: TagSink;
  readonly #publishing: Publishing;
  readonly #subscriptions: Subscription[] = [];
  readonly #items = new Map<string, Item>();
  readonly #byHandle = new Map<number, Item>();
  #wanted: ReadonlyMap<string, OpcuaTag> = new Map();
  #handles = 0;
  #working = false;
  #again = false;

  constructor(link: Link, sink: TagSink) {
    this.#link = link;
    this.#sink = sink;
    this.#publishing = createPublishing(link, (response) => this.#onMessage(response));
  }

  want(tags: readonly OpcuaTag[]): void {
    this.#wanted = new Map(tags.map((tag) => [JSON.stringify(tag), tag]));
    // Items that are no longer needed report nothing from here on, even while they are being removed.
    for (const item of this.#items.values()) {
      if (!this.#wanted.has(item.key)) this.#byHandle.delete(item.handle);
    }
    this.#again = true;
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    try {
      while (this.#again) {
        this.#again = false;
        await this.#removeUnwanted();
        await this.#addMissing();
      }
    } catch (error) {
      this.#link.fail(reasonOf(error, this.#link.peer));
    } finally {
      this.#working = false;
    }
  }

  async #removeUnwanted(): Promise<void> {
    const gone = [...this.#items.values()].filter((item) => !this.#wanted.has(item.key));
    for (const [subscription, items] of Map.groupBy(gone, (item) => item.subscription)) {
      for (const some of batches(items)) await this.#remove(subscription, some);
    }
  }

  async #remove(subscription: Subscription, items: readonly Item[]): Promise<void> {
    for (const item of items) this.#items.delete(item.key);
    subscription.items -= items.length;
    const monitoredItemIds = items.map((item) => item.id);
    await this.#link.session.deleteMonitoredItems({ subscriptionId: subscription.id, monitoredItemIds });
  }

  async #addMissing(): Promise<void> {
    const missing = [...this.#wanted].filter(([key]) => !this.#items.has(key));
    for (const [intervalMs, some] of Map.groupBy(missing, ([, tag]) => intervalOf(tag))) {
      for (const batch of batches(some)) {
        if (this.#again) return;
        await this.#add(await this.#subscriptionFor(intervalMs, batch.length), batch);
      }
    }
  }

  async #subscriptionFor(intervalMs: number, items: number): Promise<Subscription> {
    const fits = (one: Subscription) =>
      one.intervalMs === intervalMs && one.items + items <= ITEMS_PER_SUBSCRIPTION_MAX;
    const present = this.#subscriptions.find(fits);
    if (present !== undefined) return present;
    const keepAlives = Math.max(KEEP_ALIVES_MIN, Math.ceil(KEEP_ALIVE_MS / intervalMs));
    const response = await this.#link.session.createSubscription({
      requestedPublishingInterval: intervalMs,
      requestedMaxKeepAliveCount: keepAlives,
      requestedLifetimeCount: keepAlives * LIFETIME_KEEP_ALIVES,
      maxNotificationsPerPublish: NOTIFICATIONS_PER_PUBLISH_MAX,
      publishingEnabled: true,
      priority: 1,
    });
    const subscription = { id: response.subscriptionId, intervalMs, items: 0 };
    this.#subscriptions.push(subscription);
    const silenceMs = response.revisedPublishingInterval * (response.revisedMaxKeepAliveCount + 1) * 2;
    this.#publishing.keep(this.#subscriptions.length, Math.min(silenceMs, SILENCE_MS_MAX));
    return subscription;
  }

  /** Items are registered before the request: the first values may arrive before its response. */
  async #add(subscription: Subscription, batch: readonly (readonly [string, OpcuaTag])[]): Promise<void> {
    const items = batch.map(([key, tag]): Item => ({ key, tag, handle: ++this.#handles, subscription, id: 0 }));
    for (const item of items) this.#know(item);
    subscription.items += items.length;
    const { results } = await this.#link.session.createMonitoredItems(this.#creation(subscription, items));
    for (const [index, item] of items.entries()) {
      const result = results?.[index];
      if (result?.statusCode.isGood() === true) item.id = result.monitoredItemId;
      else this.#refused(item, result?.statusCode.name ?? 'BadUnexpectedError');
    }
  }

  #know(item: Item): void {
    this.#items.set(item.key, item);
    this.#byHandle.set(item.handle, item);
  }

  #refused(item: Item, status: string): void {
    this.#items.delete(item.key);
    this.#byHandle.delete(item.handle);
    item.subscription.items--;
    const reason = `the server refuses the node ${item.tag.source.nodeId}: ${status}`;
    if (this.#wanted.has(item.key)) this.#sink.sample(item.tag.path, badSample(reason, Date.now()));
  }

  #creation(subscription: Subscription, items: readonly Item[]) {
    const { AttributeIds, TimestampsToReturn, MonitoringMode, NodeId } = this.#link.opcua;
    return {
      subscriptionId: subscription.id,
      timestampsToReturn: TimestampsToReturn.Both,
      itemsToCreate: items.map((item) => ({
        itemToMonitor: { nodeId: this.#nodeId(item.tag) ?? NodeId.nullNodeId, attributeId: AttributeIds.Value },
        monitoringMode: MonitoringMode.Reporting,
        requestedParameters: {
          clientHandle: item.handle,
          samplingInterval: item.tag.source.samplingInterval * 1_000,
          queueSize: ITEM_QUEUE_SIZE,
          discardOldest: true,
        },
      })),
    };
  }

  /** A text that is not a node ID becomes the null ID, which every server refuses for that tag only. */
  #nodeId(tag: OpcuaTag) {
    try {
      return this.#link.opcua.coerceNodeId(tag.source.nodeId);
    } catch {
      return null;
    }
  }

  #onMessage(response: PublishResponse): void {
    const { opcua, peer } = this.#link;
    for (const data of response.notificationMessage.notificationData ?? []) {
      if (data instanceof opcua.StatusChangeNotification)
        this.#link.fail(`${peer} ended a subscription: ${data.status.name}`);
      if (!(data instanceof opcua.DataChangeNotification)) continue;
      const now = Date.now();
      for (const { clientHandle, value } of data.monitoredItems ?? []) {
        const item = this.#byHandle.get(clientHandle);
        if (item !== undefined) this.#sink.sample(item.tag.path, sampleOf(opcua, value, now));
      }
    }
  }
}

function intervalOf(tag: OpcuaTag): number {
  const ms = tag.source.samplingInterval * 1_000;
  return INTERVALS_MS.findLast((interval) => interval <= ms) ?? INTERVALS_MS[0];
}

function* batches<T>(list: readonly T[]): Generator<T[]> {
  for (let at = 0; at < list.length; at += ITEMS_PER_CALL_MAX) yield list.slice(at, at + ITEMS_PER_CALL_MAX);
}
