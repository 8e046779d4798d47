import type { TagDefinition, TagValue } from '#common/model/tag.ts';
import type { Tags } from '../tags/contract.ts';
import { type HistorySettings, type PutPoint, RecordedTag } from './recorded-tag.ts';
import { TICK_MS, TimerWheel } from './timer-wheel.ts';

interface RecordedProject {
  readonly tags: Map<string, RecordedTag>;
  readonly unwatch: () => void;
}

interface RecordedDefinition {
  readonly path: string;
  readonly unit: string;
  readonly history: HistorySettings;
}

/** A tag's entry in the timer wheel. */
interface Turn {
  readonly tag: RecordedTag;
  readonly turn: number;
}

/** Watches the recorded tags of every project, with one watch per project and one timer for all of them. */
export class Recorder {
  readonly #tags: Tags;
  readonly #put: PutPoint;
  readonly #now: () => number;
  readonly #projects = new Map<string, RecordedProject>();
  readonly #wheel: TimerWheel<Turn>;
  readonly #held = new Set<RecordedTag>();
  readonly #timer: NodeJS.Timeout;

  constructor(tags: Tags, put: PutPoint, now: () => number) {
    this.#tags = tags;
    this.#put = put;
    this.#now = now;
    this.#wheel = new TimerWheel(now());
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Sets the tags of a project. Tags that are already recorded continue unchanged. Throws the errors of `watch`. */
  configure(project: string, definitions: readonly TagDefinition[]): void {
    const before = this.#projects.get(project)?.tags ?? new Map<string, RecordedTag>();
    const wanted = definitions.filter(isRecorded);
    const tags = new Map(wanted.map((wish) => [wish.path, this.#tagFor(project, wish, before.get(wish.path))]));
    for (const [path, tag] of before) if (!tags.has(path)) this.#end(tag);
    this.#watch(project, tags, before);
  }

  /** The project was deleted: none of its waiting points is written. */
  remove(project: string): void {
    const known = this.#projects.get(project);
    known?.unwatch();
    this.#projects.delete(project);
    for (const tag of known?.tags.values() ?? []) {
      tag.series.gone = true;
      this.#end(tag);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { unwatch } of this.#projects.values()) unwatch();
    this.#projects.clear();
  }

  #tagFor(project: string, { path, unit, history }: RecordedDefinition, known: RecordedTag | undefined): RecordedTag {
    const tag = known ?? new RecordedTag({ project, path, unit, gone: false }, history);
    const sooner = history.maxInterval < tag.history.maxInterval;
    tag.history = history;
    tag.series.unit = unit;
    if (known === undefined || sooner) this.#wheel.add({ tag, turn: ++tag.turn }, this.#now());
    return tag;
  }

  #watch(project: string, tags: Map<string, RecordedTag>, before: ReadonlyMap<string, RecordedTag>): void {
    const known = this.#projects.get(project);
    if (known !== undefined && tags.size === before.size && [...tags.keys()].every((path) => before.has(path))) return;
    known?.unwatch();
    this.#projects.delete(project);
    if (tags.size === 0) return;
    const listener = (value: TagValue): void => this.#sample(tags.get(value.path), value);
    this.#projects.set(project, { tags, unwatch: this.#tags.watch(project, [...tags.keys()], listener) });
  }

  #end(tag: RecordedTag): void {
    tag.active = false;
    this.#held.delete(tag);
  }

  #sample(tag: RecordedTag | undefined, value: TagValue): void {
    if (tag === undefined || !tag.active) return;
    tag.take(value, this.#now(), this.#put);
    if (tag.held) this.#held.add(tag);
  }

  #tick(): void {
    const now = this.#now();
    for (const tag of this.#held) {
      tag.due(now, this.#put);
      if (!tag.held) this.#held.delete(tag);
    }
    this.#wheel.advance(now, ({ tag, turn }) => (tag.active && turn === tag.turn ? this.#due(tag, now) : null));
  }

  #due(tag: RecordedTag, now: number): number {
    const due = tag.due(now, this.#put);
    if (tag.held) this.#held.add(tag);
    return due;
  }
}

function isRecorded(tag: TagDefinition): tag is TagDefinition & RecordedDefinition {
  return tag.history !== null;
}
