import type { DiskWriter, DiskWriterKind } from '#common/control/messages.ts';
import { freeBytesOf, freeBytesSoon } from '#common/node/disk-space.ts';
import { NodeError } from '#sdk';

/**
 * Limits stored data for every part of the gateway that stores data for callers: the disk keeps `diskReserveBytes`
 * free, and no project uses more in a day than it leaves to all others together.
 *
 * The free space is measured once per second; data stored since then is subtracted. Writes of other programs in between
 * are not seen; the reserve covers them too. If it cannot be measured, nothing is refused. Limits: one counter for each
 * pipeline and kind.
 */
export const LOOK_MS = 1_000;
/** After this period, the growth of a project is counted from zero again. */
export const GROWTH_MS = 24 * 60 * 60_000;
/** Half-life of stored amounts in the ranking of the largest writers. */
const RECENT_MS = 5 * 60_000;
const NAMED_MAX = 3;
/**
 * Writers are reported while less free space than this multiple of the reserve is left: slightly before the alarm needs
 * them.
 */
const TELL_BELOW = 3;
/** A pipeline is named if it stored at least this part of what its project stored. */
const PIPELINE_SHARE_MIN = 0.5;
/** No writers, as JSON. */
const NOBODY = '[]';

export interface DiskMeterOptions {
  readonly folder: string;
  readonly reserveBytes: () => number;
  onWriters(writers: DiskWriter[]): void;
  /** For tests. */
  readonly freeBytes?: () => number | null;
  readonly lookMs?: number;
  readonly now?: () => number;
}

/** The methods for modules that store data. */
export type DiskRoom = Pick<
  DiskMeter,
  'room' | 'reserve' | 'expectRoom' | 'grew' | 'charge' | 'note' | 'noteRow' | 'forget'
>;

/** Bytes of one kind that were stored lately for one project, with those of the pipelines that are known. */
interface Stored {
  readonly project: string | null;
  readonly kind: DiskWriterKind;
  bytes: number;
  readonly pipelines: Map<string, number>;
}

export class DiskMeter {
  readonly #options: DiskMeterOptions;
  readonly #timer: NodeJS.Timeout;
  #free: number | null;
  /** Bytes stored since the measurement that produced `#free` began. */
  #since = 0;
  #looking = false;
  readonly #grown = new Map<string, number>();
  #grownFromMs: number;
  readonly #recent = new Map<string, Stored>();
  #recentFromMs: number;
  #reported = NOBODY;

  constructor(options: DiskMeterOptions) {
    this.#options = options;
    this.#free = options.freeBytes ? options.freeBytes() : freeBytesOf(options.folder);
    this.#grownFromMs = this.#recentFromMs = this.#now();
    this.#timer = setInterval(() => void this.#look(), options.lookMs ?? LOOK_MS).unref();
  }

  /** Bytes by which the project may still grow: 0 or more, Infinity if the free space is unknown. */
  room(project: string): number {
    const left = this.#left();
    if (left === Infinity) return left;
    const grown = this.#grown.get(project) ?? 0;
    // Once it has used this much, as much is left for the others as it has used.
    return Math.max(0, Math.floor((left - grown) / 2));
  }

  /** Bytes that the disk keeps free. */
  reserve(): number {
    return this.#options.reserveBytes();
  }

  /** Throws NodeError `disk_reserve` if the project may not store this many more bytes. */
  expectRoom(project: string, bytes: number): void {
    if (bytes <= 0 || bytes <= this.room(project)) return;
    throw this.#refusal();
  }

  /** Counts what a project has stored; negative for what it removed. `pipeline` is empty if it is not known. */
  grew(project: string, kind: DiskWriterKind, bytes: number, pipeline = ''): void {
    this.charge(project, bytes);
    this.note(project, kind, bytes, pipeline);
  }

  /** Counts only the growth of the project, for bytes that were noted before. */
  charge(project: string, bytes: number): void {
    this.#grown.set(project, Math.max(0, (this.#grown.get(project) ?? 0) + bytes));
  }

  /** Counts stored bytes without growth of the project: they are removed again automatically. */
  note(project: string | null, kind: DiskWriterKind, bytes: number, pipeline = ''): void {
    if (bytes <= 0) return;
    this.#since += bytes;
    const key = `${kind} ${project ?? ''}`;
    let stored = this.#recent.get(key);
    if (stored === undefined) this.#recent.set(key, (stored = { project, kind, bytes: 0, pipelines: new Map() }));
    stored.bytes += bytes;
    if (pipeline !== '') add(stored.pipelines, pipeline, bytes);
    // The first one immediately: the host may check the disk and raise the alarm before the next measurement here.
    if (this.#reported === NOBODY) this.#tell();
  }

  /**
   * Counts a row of the gateway's journal. Each request has some, so they are counted only while writers are reported.
   */
  noteRow(project: string | null, pipeline: string, bytes: number): void {
    if (this.#reports()) this.note(project, 'journal', bytes, pipeline);
  }

  forget(project: string): void {
    this.#grown.delete(project);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Free space above the reserve; may be negative. */
  #left(): number {
    return this.#free === null ? Infinity : this.#free - this.#since - this.reserve();
  }

  #refusal(): NodeError {
    const reserve = this.reserve();
    return this.#left() <= 0
      ? new NodeError('disk_reserve', `the disk has less than its reserve of ${reserve} bytes free; nothing is stored`)
      : new NodeError(
          'disk_reserve',
          `the project would take more than half of what the disk has free above its reserve of ${reserve} bytes`,
        );
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const before = this.#since;
    const { folder, freeBytes } = this.#options;
    this.#free = freeBytes ? freeBytes() : await freeBytesSoon(folder);
    this.#since -= before;
    this.#looking = false;
    this.#age();
    this.#tell();
  }

  #age(): void {
    const nowMs = this.#now();
    if (nowMs - this.#grownFromMs >= GROWTH_MS) {
      this.#grownFromMs = nowMs;
      this.#grown.clear();
    }
    if (nowMs - this.#recentFromMs < RECENT_MS) return;
    this.#recentFromMs = nowMs;
    for (const [key, stored] of this.#recent) {
      stored.bytes = Math.floor(stored.bytes / 2);
      if (stored.bytes === 0) this.#recent.delete(key);
      halve(stored.pipelines);
    }
  }

  #tell(): void {
    if (!this.#reports()) return;
    const most = [...this.#recent.values()].toSorted((a, b) => b.bytes - a.bytes).slice(0, NAMED_MAX);
    const writers = most.map(writerOf);
    const text = JSON.stringify(writers);
    if (text === this.#reported) return;
    this.#reported = text;
    this.#options.onWriters(writers);
  }

  #reports(): boolean {
    return this.#free !== null && this.#free - this.#since <= TELL_BELOW * this.#options.reserveBytes();
  }

  #now(): number {
    return this.#options.now?.() ?? performance.now();
  }
}

function writerOf({ project, kind, bytes, pipelines }: Stored): DiskWriter {
  let [pipeline, most]: [string | null, number] = [null, bytes * PIPELINE_SHARE_MIN];
  for (const [name, stored] of pipelines) if (stored >= most) [pipeline, most] = [name, stored];
  return { project, pipeline, kind };
}

function add(counts: Map<string, number>, name: string, bytes: number): void {
  counts.set(name, (counts.get(name) ?? 0) + bytes);
}

function halve(counts: Map<string, number>): void {
  for (const [name, bytes] of counts) {
    if (bytes < 2) counts.delete(name);
    else counts.set(name, Math.floor(bytes / 2));
  }
}
