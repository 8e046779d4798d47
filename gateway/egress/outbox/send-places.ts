import {
  CROWDED_SECONDS,
  SEND_SHARES,
  SENDS_MAX,
  SENDS_PER_PROJECT_MAX,
  SENDS_PER_TARGET_MAX,
  SENDS_UNPROVEN_MAX,
  SHARES_LISTED_MAX,
  SILENT_MS,
} from './limits.ts';
import type { Queue, Target } from './target.ts';

const SCARCE_FROM = Math.min(...SEND_SHARES.map(({ from }) => from));

/**
 * Places for calls in progress. A hanging target keeps its places until its timeout, an hour at most, so hanging
 * targets must never get all of them. One place for a target that did not respond to its last call or was never called;
 * the more are taken, the fewer per target (SEND_SHARES); the last ones only for targets that responded; half of all
 * for one project if others send too.
 */
export class SendPlaces {
  taken = 0;
  readonly #byProject = new Map<string, number>();
  /** Queues whose project uses all of its places, by project and target. */
  readonly #waiting = new Map<string, Map<Target, Set<Queue>>>();
  readonly #hasOthers: (project: string) => boolean;
  #crowdedSeconds = 0;

  /** `hasOthers`: whether other projects store calls. */
  constructor(hasOthers: (project: string) => boolean) {
    this.#hasOthers = hasOthers;
  }

  /** The number of places that the target may use now. */
  of({ doubted }: Target): number {
    if (this.taken >= SENDS_MAX) return 0;
    if (doubted) return this.taken < SENDS_UNPROVEN_MAX ? 1 : 0;
    return SEND_SHARES.find(({ from }) => this.taken >= from)?.perTarget ?? SENDS_PER_TARGET_MAX;
  }

  /** A released place may be used for another target. */
  get areScarce(): boolean {
    return this.taken >= SCARCE_FROM - 1;
  }

  /** False if its project uses its whole share: the queue waits until `makeReady` returns it. */
  mayTake(project: string, queue: Queue): boolean {
    if (this.#free(project) > 0) return true;
    const targets = this.#waiting.get(project) ?? new Map<Target, Set<Queue>>();
    const queues = targets.get(queue.target) ?? new Set();
    this.#waiting.set(project, targets.set(queue.target, queues.add(queue)));
    return false;
  }

  #free(project: string): number {
    return this.#hasOthers(project) ? SENDS_PER_PROJECT_MAX - (this.#byProject.get(project) ?? 0) : SENDS_MAX;
  }

  take(project: string, target: Target, nowMs: number): void {
    target.beginCall(nowMs);
    this.taken += 1;
    this.#byProject.set(project, (this.#byProject.get(project) ?? 0) + 1);
  }

  giveBack(project: string, target: Target, nowMs: number): void {
    target.endCall(nowMs);
    this.taken -= 1;
    const left = (this.#byProject.get(project) ?? 1) - 1;
    if (left === 0) this.#byProject.delete(project);
    else this.#byProject.set(project, left);
  }

  /**
   * Makes queues ready that waited for a place of this project, or of any project: as many as it has free places, of
   * targets that can be called, in turn. Of each other target one, for when it can be called. Returns whether any can
   * be called now.
   */
  makeReady(isOpen: (target: Target) => boolean, only?: string): boolean {
    let any = false;
    for (const project of only === undefined ? [...this.#waiting.keys()] : [only]) {
      const targets = this.#waiting.get(project);
      if (targets === undefined) continue;
      let free = this.#free(project);
      const inTurn = [...targets];
      for (const [target, queues] of inTurn) {
        const open = isOpen(target);
        const most = open ? Math.min(free, this.of(target) - target.sending) : 1 - target.ready.size;
        if (most <= 0) continue;
        const made = readied(target, queues, most);
        if (open) free -= made;
        any ||= open && made > 0;
        // The others come first next time.
        targets.delete(target);
        if (queues.size > 0) targets.set(target, queues);
      }
      if (targets.size === 0) this.#waiting.delete(project);
    }
    return any;
  }

  /** Once a second. `waits`: a target without a call in progress could be called now. */
  tick(waits: boolean): void {
    this.#crowdedSeconds = waits || this.#waiting.size > 0 ? this.#crowdedSeconds + 1 : 0;
  }

  crowdedBy(targets: Iterable<Target>, nowMs: number): string[] {
    if (this.#crowdedSeconds < CROWDED_SECONDS) return [];
    return [...targets]
      .filter(({ sending, silentSinceMs }) => sending > 0 && nowMs - silentSinceMs >= SILENT_MS)
      .toSorted((a, b) => b.sending - a.sending)
      .slice(0, SHARES_LISTED_MAX)
      .map(({ origin }) => origin);
  }
}

/**
 * Makes this many of them ready, and removes them, along with those that were sent or discarded meanwhile. Returns how
 * many.
 */
function readied(target: Target, queues: Set<Queue>, most: number): number {
  let made = 0;
  for (const queue of queues) {
    queues.delete(queue);
    if (queue.state !== 'ready' || queue.count <= 0) continue;
    target.markReady(queue);
    made += 1;
    if (made === most) break;
  }
  return made;
}
