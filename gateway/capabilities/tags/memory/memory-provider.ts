import type { TagDefinition } from '#common/model/tag.ts';
import { isDiskFull } from '#common/node/needs-room.ts';
import { NodeError } from '#sdk';
import type { ProviderParts, TagProvider } from '../contract.ts';
import type { TagDisk } from '../providers.ts';
import { MemoryFile, type StoredValue } from './memory-file.ts';

/**
 * Tags that store the values written to them, also across a restart. All writes of one turn of the event loop are one
 * commit, and a write is complete when it is committed: an acknowledged value survives a kill.
 *
 * A file that cannot be opened is never replaced: its tags read bad, writes fail, and the next change of the tags tries
 * again. A tag that was never written has its initial value; null: it has none. Limits: WRITES_WAITING_MAX writes per
 * turn; the disk space that is available to the project (NodeError `disk_reserve`).
 */
export const WRITES_WAITING_MAX = 10_000;
/** Size of a row in addition to its texts. */
const ROW_BYTES = 32;

const UNREADABLE = "the file with this project's memory tags cannot be read; the gateway's log says why";

interface Waiting extends StoredValue {
  readonly value: unknown;
  readonly done: PromiseWithResolvers<void>;
}

type MemoryParts = ProviderParts & { readonly disk: TagDisk };

export function createMemoryProvider(dataDir: string, parts: MemoryParts): TagProvider {
  return new MemoryProvider(dataDir, parts);
}

class MemoryProvider implements TagProvider {
  readonly #dataDir: string;
  readonly #parts: MemoryParts;
  /** The initial value reported for each path. */
  #known = new Map<string, string>();
  #file: MemoryFile | null = null;
  #waiting: Waiting[] = [];
  /** Bytes of the stored or pending value of each path. */
  readonly #sizes = new Map<string, number>();

  constructor(dataDir: string, parts: MemoryParts) {
    this.#dataDir = dataDir;
    this.#parts = parts;
  }

  configure(tags: readonly TagDefinition[]): void {
    this.#commit();
    try {
      this.#file ??= new MemoryFile(this.#dataDir, this.#parts.project);
      this.#load(this.#file, tags);
    } catch (error) {
      const { log, sink, project } = this.#parts;
      log.error('the memory tags of a project cannot be read', { project, error });
      this.#known.clear();
      const paths = tags.map(({ path }) => path);
      sink.lost(paths, UNREADABLE);
    }
  }

  write({ path }: TagDefinition, value: unknown): Promise<void> {
    if (this.#waiting.length >= WRITES_WAITING_MAX)
      throw new NodeError('tag_write_failed', `${path}: too many writes are under way already`);
    const json = JSON.stringify(value);
    this.#grow(path, json);
    if (this.#waiting.length === 0) setImmediate(() => this.#commit());
    const done = Promise.withResolvers<void>();
    this.#waiting.push({ path, value, json, time: Date.now(), done });
    return done.promise;
  }

  /** All work is finished when this returns, so that the file can then be removed. */
  close(): Promise<void> {
    this.#commit();
    this.#file?.close();
    this.#file = null;
    return Promise.resolve();
  }

  /** Reports the value of each new tag, and removes rows that no longer belong to a tag. */
  #load(file: MemoryFile, tags: readonly TagDefinition[]): void {
    const known = new Map(tags.map((tag) => [tag.path, JSON.stringify(tag.source)]));
    const fresh = new Map(tags.filter(({ path }) => this.#known.get(path) !== known.get(path)).map((t) => [t.path, t]));
    const gone: string[] = [];
    for (const stored of file.values()) {
      if (!known.has(stored.path)) gone.push(stored.path);
      else this.#sizes.set(stored.path, sizeOf(stored));
      if (fresh.delete(stored.path)) this.#tell(stored.path, JSON.parse(stored.json), stored.time);
    }
    for (const tag of fresh.values()) this.#reportInitial(tag);
    file.remove(gone);
    for (const path of gone) this.#grew(path, 0);
    this.#known = known;
  }

  /** Throws NodeError `disk_reserve`. */
  #grow(path: string, json: string): void {
    const { disk, project } = this.#parts;
    const size = sizeOf({ path, json });
    disk.expectRoom(project, size - (this.#sizes.get(path) ?? 0));
    this.#grew(path, size);
  }

  #grew(path: string, size: number): void {
    const { disk, project } = this.#parts;
    disk.grew(project, 'tags', size - (this.#sizes.get(path) ?? 0));
    if (size === 0) this.#sizes.delete(path);
    else this.#sizes.set(path, size);
  }

  #reportInitial({ path, source }: TagDefinition): void {
    if (source.provider !== 'memory' || source.initial === null) return;
    this.#tell(path, source.initial, Date.now());
  }

  #tell(path: string, value: unknown, time: number): void {
    this.#parts.sink.sample(path, { value, quality: 'good', reason: null, time, arrived: true });
  }

  #commit(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    try {
      if (this.#file === null) throw new Error(UNREADABLE);
      this.#file.put(waiting);
    } catch (error) {
      this.#refuse(waiting, error);
      return;
    }
    for (const { path, value, time, done } of waiting) {
      this.#tell(path, value, time);
      done.resolve();
    }
  }

  #refuse(waiting: readonly Waiting[], cause: unknown): void {
    const { log, project } = this.#parts;
    log.error('memory tags could not be stored', { project, count: waiting.length, error: cause });
    const code = isDiskFull(cause) ? 'disk_reserve' : 'tag_write_failed';
    for (const { path, done } of waiting)
      done.reject(new NodeError(code, `${path}: the value could not be stored`, { cause }));
  }
}

function sizeOf({ path, json }: Pick<StoredValue, 'path' | 'json'>): number {
  return Buffer.byteLength(path) + Buffer.byteLength(json) + ROW_BYTES;
}
