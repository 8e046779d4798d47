import type { TagDefinition } from '#common/model/tag.ts';
import type { TagProvider, TagSink } from '../contract.ts';
import type { SendBefore } from '../send-before.ts';
import type { AnyDevice, News, Order } from './messages.ts';

/** The operations that a proxy needs from the owner of the thread. */
export interface ProxyHost {
  /** Why the thread is unavailable; null while it runs or starts. */
  readonly trouble: string | null;
  order(order: Order): void;
  write(id: number, write: TagWrite, signal: AbortSignal): Promise<void>;
  close(id: number): Promise<void>;
}

export interface TagWrite {
  readonly tag: TagDefinition;
  readonly value: unknown;
  readonly sendBefore: SendBefore;
}

export interface ProxyParts {
  readonly id: number;
  readonly project: string;
  readonly device: AnyDevice;
  readonly sink: TagSink;
  readonly host: ProxyHost;
}

const NO_VALUE = 'there is no value from the device yet';

/**
 * The gateway's side of a provider that runs in the thread. It stores the provider's state, so that a new thread can
 * receive it again. Reports about a tag are dropped until the thread knows the tag's current definition: a value of its
 * previous source may still be in transit.
 */
export class DeviceProxy implements TagProvider {
  readonly #parts: ProxyParts;
  #tags: readonly TagDefinition[] = [];
  #known = new Map<string, TagDefinition>();
  #version = 0;
  /** Tags that the thread may not know yet, each with the version of the `configure` that sends it. */
  readonly #untold = new Map<string, number>();

  constructor(parts: ProxyParts) {
    this.#parts = parts;
  }

  configure(tags: readonly TagDefinition[]): void {
    const { sink, host } = this.#parts;
    const fresh = tags.filter((tag) => !isSame(this.#known.get(tag.path), tag)).map(({ path }) => path);
    this.#tags = tags;
    this.#known = new Map(tags.map((tag) => [tag.path, tag]));
    this.#version += 1;
    for (const path of this.#untold.keys()) if (!this.#known.has(path)) this.#untold.delete(path);
    for (const path of fresh) this.#untold.set(path, this.#version);
    sink.lost(fresh, host.trouble ?? NO_VALUE);
    if (host.trouble === null) host.order(this.#configured());
  }

  get project(): string {
    return this.#parts.project;
  }

  write(tag: TagDefinition, value: unknown, signal: AbortSignal, sendBefore: SendBefore = null): Promise<void> {
    return this.#parts.host.write(this.#parts.id, { tag, value, sendBefore }, signal);
  }

  close(): Promise<void> {
    return this.#parts.host.close(this.#parts.id);
  }

  /** Sends a new thread the complete state. */
  reopen(): void {
    const { id, project, device, host } = this.#parts;
    host.order({ do: 'open', id, project, device });
    if (this.#version > 0) host.order(this.#configured());
  }

  lost(reason: string): void {
    this.#parts.sink.lost(this.#known.keys(), reason);
  }

  take(news: News): void {
    const { sink } = this.#parts;
    const { path, version } = news;
    const since = this.#untold.get(path);
    if (since !== undefined && version < since) return;
    if (since !== undefined) this.#untold.delete(path);
    if ('lost' in news) sink.lost([path], news.lost);
    else sink.sample(path, news.sample);
  }

  #configured(): Order {
    return { do: 'configure', id: this.#parts.id, version: this.#version, tags: this.#tags };
  }
}

/** True if a value reported for one is also a value of the other. */
function isSame(before: TagDefinition | undefined, tag: TagDefinition): boolean {
  if (before === undefined || before === tag) return before === tag;
  return before.type === tag.type && JSON.stringify(before.source) === JSON.stringify(tag.source);
}
