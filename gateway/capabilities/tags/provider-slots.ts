import type { ProjectResources } from '#common/model/resources.ts';
import type { TagDefinition, TagSource } from '#common/model/tag.ts';
import type { Logger } from '#common/node/log.ts';
import type { TagSink } from './contract.ts';
import { type Opened, ProviderSlot, type SlotTarget } from './provider-slot.ts';

type Connections = ProjectResources['connections'];

/** Creates the provider for a source, or returns the reason why there is none. */
export type OpenProvider = (source: TagSource, connections: Connections, sink: TagSink) => Opened;

export interface SlotParts {
  readonly open: OpenProvider;
  readonly log: Logger;
  /** Slots of all projects that are still closing. */
  readonly closing: Set<Promise<void>>;
}

interface Wanted {
  readonly source: TagSource;
  readonly tags: TagDefinition[];
}

/** Tags with the same key share one provider: `memory`, `simulator`, `opcua:filler`. */
export function slotKey(source: TagSource): string {
  return 'connection' in source ? `${source.provider}:${source.connection}` : source.provider;
}

/** The providers that the tags of a project need. */
export class ProviderSlots {
  readonly #parts: SlotParts;
  readonly #target: SlotTarget;
  readonly #slots = new Map<string, ProviderSlot>();

  constructor(parts: SlotParts, target: SlotTarget) {
    this.#parts = parts;
    this.#target = target;
  }

  /**
   * Closes the providers that no tag needs or whose connection changed, and creates missing ones. Returns the slots
   * that must be configured: the new ones and those whose key is in `changed`.
   */
  match(
    tags: readonly TagDefinition[],
    connections: Connections,
    changed: ReadonlySet<string>,
  ): { slot: ProviderSlot; tags: readonly TagDefinition[] }[] {
    const wanted = group(tags);
    for (const [key, slot] of this.#slots) {
      const source = wanted.get(key)?.source;
      if (source === undefined || slot.madeOf !== madeOf(source, connections)) this.#close(key, slot);
    }
    const toConfigure = [...wanted].filter(([key]) => changed.has(key) || !this.#slots.has(key));
    return toConfigure.map(([key, { source, tags: own }]) => ({
      slot: this.#slot(key, source, connections),
      tags: own,
    }));
  }

  close(): void {
    for (const [key, slot] of this.#slots) this.#close(key, slot);
  }

  #slot(key: string, source: TagSource, connections: Connections): ProviderSlot {
    const running = this.#slots.get(key);
    if (running !== undefined) return running;
    const { open, log } = this.#parts;
    const made = madeOf(source, connections);
    const slot = new ProviderSlot(made, this.#target, log, (sink) => open(source, connections, sink));
    this.#slots.set(key, slot);
    return slot;
  }

  #close(key: string, slot: ProviderSlot): void {
    const { closing } = this.#parts;
    this.#slots.delete(key);
    const closed = slot.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }
}

function group(tags: readonly TagDefinition[]): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const tag of tags) {
    const key = slotKey(tag.source);
    const same = wanted.get(key);
    if (same === undefined) wanted.set(key, { source: tag.source, tags: [tag] });
    else same.tags.push(tag);
  }
  return wanted;
}

/** All settings of a provider except its tags; compared to decide whether it must be created again. */
function madeOf(source: TagSource, connections: Connections): string {
  if (!('connection' in source)) return '';
  return JSON.stringify(connections.find(({ id }) => id === source.connection)?.settings ?? null);
}
