/**
 * The tags of one project: their definitions, current values, watchers, and the providers behind them.
 *
 * A change of the resources affects only changed parts: an unchanged tag keeps its value and its watchers, a provider
 * with an unchanged connection keeps running, and one whose connection changed is closed and created again. Limits:
 * TAGS_PER_PROJECT_MAX tags, WATCHERS_MAX watchers, STEPS_PER_READ_MAX folders and tags that one read visits, CHARS_MAX
 * characters of all texts and JSON values together.
 */
import type { DeviceFigures } from '#common/control/messages.ts';
import type { ProjectResources } from '#common/model/resources.ts';
import { isTagPattern, TAGS_PER_PROJECT_MAX, type TagDefinition, type TagValue } from '#common/model/tag.ts';
import type { Logger } from '#common/node/log.ts';
import { NodeError } from '#sdk';
import type { KnownThing } from '../writes/planned-write.ts';
import type { Sample, TagListener } from './contract.ts';
import type { ProviderSlot, SlotTarget } from './provider-slot.ts';
import { ProviderSlots, slotKey, type SlotParts } from './provider-slots.ts';
import { TagEntry } from './tag-entry.ts';
import { ENDLESS, type Steps, TagTree } from './tag-tree.ts';
import { typedValue } from './typed-value.ts';
import { Watcher } from './watcher.ts';
import { WriteGate } from './write-gate.ts';
import { refuseReadOnly } from './writable.ts';

export const WATCHERS_MAX = 1_000;
export const STEPS_PER_READ_MAX = 500_000;
export const CHARS_MAX = 64 * 1024 * 1024;

export class ProjectTags implements SlotTarget {
  readonly #log: Logger;
  readonly #slots: ProviderSlots;
  readonly #entries = new Map<string, TagEntry>();
  readonly #watchers = new Set<Watcher>();
  readonly #gate = new WriteGate((path) => this.#entries.get(path));
  readonly #refuseStopped: (entry: TagEntry) => void;
  /** Tags that stop the writes of the project. */
  #stoppers: readonly TagEntry[] = [];
  /** Writes that have begun, each with its tag and the means to cancel it. */
  readonly #writing = new Map<Promise<void>, { readonly entry: TagEntry; readonly cancel: AbortController }>();
  #tree = new TagTree<TagEntry>([]);
  #chars = 0;

  /** `refuseStopped` throws WriteStoppedError. */
  constructor(parts: SlotParts, refuseStopped: (entry: TagEntry) => void) {
    this.#refuseStopped = refuseStopped;
    this.#log = parts.log;
    this.#slots = new ProviderSlots(parts, this);
  }

  /** True if it can be removed without effect. */
  get idle(): boolean {
    return this.#entries.size === 0 && this.#watchers.size === 0;
  }

  /** Applies the current tags and connections. Providers connect and close in the background. */
  configure({ tags: given, connections }: Pick<ProjectResources, 'tags' | 'connections'>): void {
    const tags = given.slice(0, TAGS_PER_PROJECT_MAX);
    const paths = new Set(tags.map(({ path }) => path));
    const changed = new Set<string>();
    const gone = [...this.#entries.values()].filter(({ path }) => !paths.has(path));
    for (const entry of gone) this.#remove(entry, changed);
    const added = tags.filter((tag) => this.#put(tag, changed)).map(({ path }) => path);
    if (gone.length > 0 || added.length > 0) this.#tree = new TagTree(this.#entries.values());
    this.#stoppers = [...this.#entries.values()].filter(({ definition }) => definition.stopsWrites === true);
    for (const { slot, tags: own } of this.#slots.match(tags, connections, changed)) {
      this.#move(own, slot);
      slot.configure(own);
    }
    if (added.length > 0) this.#attach(added);
  }

  has(path: string): boolean {
    return this.#entries.has(path);
  }

  /** The last known value and the connection of a tag; null: there is no such tag. */
  known(path: string): KnownThing | null {
    const entry = this.#entries.get(path);
    if (entry === undefined) return null;
    const { source } = entry.definition;
    return { value: entry.value.value, ...('connection' in source && { device: source.connection }) };
  }

  /** Throws NodeError `tag_unknown`. */
  read(path: string): TagValue {
    return this.#known(path).value;
  }

  /** The connection that provides a tag, or the kind of its source. */
  deviceOf(path: string): string {
    const { source } = this.#known(path).definition;
    return 'connection' in source ? source.connection : source.provider;
  }

  /** Throws NodeError `tag_unknown` for a path that matches no tag, `tag_patterns_too_wide`. */
  readMany(patterns: readonly string[]): TagValue[] {
    const [only] = patterns;
    const steps: Steps = { left: STEPS_PER_READ_MAX };
    if (patterns.length === 1 && only !== undefined) return this.#find(only, steps).map(({ value }) => value);
    const found = new Set<TagEntry>();
    for (const pattern of patterns) for (const entry of this.#find(pattern, steps)) found.add(entry);
    return [...found].map(({ value }) => value);
  }

  /**
   * Throws NodeError `tag_unknown`, `tag_read_only`, `tag_type`, `interlock`, `write_stopped`,
   * `device_unreachable`, `target_refused`, `tag_write_failed`.
   */
  async write(path: string, value: unknown, signal: AbortSignal): Promise<void> {
    const { entry, typed } = this.#checked(path, value);
    const { definition, slot } = entry;
    if (slot === null) throw new NodeError('device_unreachable', `${path}: its source has ended`);
    this.#refuseStopped(entry);
    const sendBefore = this.#gate.admit(entry, typed, this.#stoppers);
    const cancel = new AbortController();
    const writing = slot.write(definition, typed, AbortSignal.any([signal, cancel.signal]), sendBefore);
    this.#writing.set(writing, { entry, cancel });
    try {
      await writing;
    } finally {
      this.#writing.delete(writing);
    }
  }

  /** A write of a rehearsal: nothing is written or counted. Throws as `write`, except for errors of the source. */
  rehearseWrite(path: string, value: unknown): void {
    const { entry, typed } = this.#checked(path, value);
    this.#refuseStopped(entry);
    this.#gate.check(entry, typed, this.#stoppers);
  }

  /** Throws NodeError `tag_unknown`, `tag_read_only`, `tag_type`. */
  #checked(path: string, value: unknown): { readonly entry: TagEntry; readonly typed: unknown } {
    const entry = this.#known(path);
    refuseReadOnly(entry.definition);
    const typed = typedValue(entry.definition.type, value);
    if ('fault' in typed) throw new NodeError('tag_type', `${path}: ${typed.fault}`);
    return { entry, typed: typed.value };
  }

  /** Resolves when the writes that have begun have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#writing.keys());
  }

  /** Cancels the writes to stopped tags that their device has not ended: those that wait for it must not be sent later. */
  cancelStopped(): void {
    for (const { entry, cancel } of this.#writing.values()) {
      try {
        this.#refuseStopped(entry);
      } catch {
        const text = `${entry.path}: writes were stopped; whether the device has taken the value is not known`;
        cancel.abort(new NodeError('call_cancelled', text));
      }
    }
  }

  /** Throws NodeError `tag_watchers_full`. */
  watch(patterns: readonly string[], listener: TagListener): () => void {
    if (this.#watchers.size >= WATCHERS_MAX)
      throw new NodeError('tag_watchers_full', `${WATCHERS_MAX} listeners wait for tags of this project already`);
    const watcher = new Watcher(patterns, listener, this.#log);
    this.#watchers.add(watcher);
    for (const entry of this.#watched(watcher)) {
      entry.watchers.add(watcher);
      watcher.tell(entry.value);
    }
    return () => {
      watcher.end();
      this.#watchers.delete(watcher);
      for (const entry of this.#watched(watcher)) entry.watchers.delete(watcher);
    };
  }

  sample(slot: ProviderSlot, path: string, sample: Sample): void {
    const entry = this.#entries.get(path);
    if (entry === undefined || entry.slot !== slot) return;
    const before = entry.chars;
    if (!entry.take(sample)) return;
    this.#chars += entry.chars - before;
    if (this.#chars > CHARS_MAX) this.#lose(entry, `the tags of this project hold more than ${CHARS_MAX} characters`);
    else this.#tell(entry);
  }

  lost(slot: ProviderSlot, paths: Iterable<string>, reason: string): void {
    for (const path of paths) {
      const entry = this.#entries.get(path);
      if (entry?.slot === slot) this.#lose(entry, reason);
    }
  }

  /** Its connections to devices, with the current quality of their tags. */
  devices(): Omit<DeviceFigures, 'project'>[] {
    const devices = new Map<string, Omit<DeviceFigures, 'project'>>();
    for (const { definition, value } of this.#entries.values()) {
      const { source } = definition;
      if (!('connection' in source)) continue;
      const { provider, connection } = source;
      const key = slotKey(source);
      const device = devices.get(key) ?? { connection, provider, tags: { good: 0, uncertain: 0, bad: 0 } };
      device.tags[value.quality] += 1;
      devices.set(key, device);
    }
    return [...devices.values()];
  }

  /** Closes all providers; values remain unchanged. */
  close(): void {
    this.#slots.close();
  }

  /** True if the tag is new. */
  #put(tag: TagDefinition, changed: Set<string>): boolean {
    const entry = this.#entries.get(tag.path);
    if (entry === undefined) {
      this.#entries.set(tag.path, new TagEntry(tag));
      changed.add(slotKey(tag.source));
      return true;
    }
    if (JSON.stringify(entry.definition) === JSON.stringify(tag)) return false;
    const key = slotKey(tag.source);
    const keyBefore = slotKey(entry.definition.source);
    changed.add(key).add(keyBefore);
    if (key !== keyBefore) entry.slot = null;
    const before = entry.chars;
    const hasNewValue = entry.redefine(tag);
    this.#chars += entry.chars - before;
    if (hasNewValue) this.#tell(entry);
    return false;
  }

  #remove(entry: TagEntry, changed: Set<string>): void {
    changed.add(slotKey(entry.definition.source));
    this.#lose(entry, 'the tag was removed');
    entry.slot = null;
    this.#entries.delete(entry.path);
  }

  /** Values of another provider are no longer valid. */
  #move(tags: readonly TagDefinition[], slot: ProviderSlot): void {
    for (const { path } of tags) {
      const entry = this.#entries.get(path);
      if (entry === undefined || entry.slot === slot) continue;
      if (entry.slot !== null) this.#lose(entry, 'the connection was changed; there is no value from it yet');
      entry.slot = slot;
    }
  }

  /** Notifies the watchers of matching new tags, after the tags could get their first value. */
  #attach(paths: readonly string[]): void {
    const added = new Set(paths);
    for (const watcher of this.#watchers) {
      for (const entry of this.#watched(watcher)) {
        if (!added.has(entry.path)) continue;
        entry.watchers.add(watcher);
        watcher.tell(entry.value);
      }
    }
  }

  #watched({ patterns }: Watcher): Set<TagEntry> {
    return new Set(patterns.flatMap((pattern) => this.#tree.find(pattern, ENDLESS())));
  }

  #lose(entry: TagEntry, reason: string): void {
    this.#chars -= entry.chars;
    if (entry.lost(reason)) this.#tell(entry);
  }

  #tell({ value, watchers }: TagEntry): void {
    for (const watcher of watchers) watcher.tell(value);
  }

  #known(path: string): TagEntry {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw new NodeError('tag_unknown', `there is no tag "${path.slice(0, 600)}"`);
    return entry;
  }

  #find(pattern: string, steps: Steps): readonly TagEntry[] {
    if (!isTagPattern(pattern)) return [this.#known(pattern)];
    const found = this.#tree.find(pattern, steps);
    if (steps.left >= 0) return found;
    throw new NodeError(
      'tag_patterns_too_wide',
      `the patterns look at more than ${STEPS_PER_READ_MAX} tags and folders; expected fewer or narrower ones`,
    );
  }
}
