/**
 * A part of each turn of the event loop, for work that is done in pieces: `msPerTurnMax`, and one piece more. Projects take
 * turns, whatever each of them has; the work of one project is done in its order.
 *
 * Limits: as many pieces as those who add them have; nothing is refused here.
 */
export class TurnLane {
  /** By project, the next one first. */
  readonly #waiting = new Map<string, Set<LaneWork>>();
  readonly #msPerTurnMax: number;
  readonly #limit: TurnLimit;
  #turning = false;

  constructor(msPerTurnMax: number, limit: TurnLimit) {
    this.#msPerTurnMax = msPerTurnMax;
    this.#limit = limit;
  }

  has(project: string): boolean {
    return this.#waiting.has(project);
  }

  /** Has the work done, a piece in each of the project's turns. */
  add(project: string, work: LaneWork): void {
    const ofProject = this.#waiting.get(project);
    if (ofProject) ofProject.add(work);
    else this.#waiting.set(project, new Set([work]));
    this.turnLater();
  }

  turnLater(): void {
    if (this.#turning) return;
    this.#turning = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#turning = false;
    this.#limit.turnBegins();
    const endMs = performance.now() + this.#msPerTurnMax;
    for (const [project, works] of this.#waiting) {
      doOne(works);
      this.#waiting.delete(project);
      if (works.size > 0) this.#waiting.set(project, works);
      if (this.#limit.isReached() || performance.now() >= endMs) break;
    }
    if (this.#waiting.size > 0) this.turnLater();
  }
}

/** A further limit of what a turn does. */
interface TurnLimit {
  /** Called before the pieces of a turn, once `turnLater` or `add` was called. */
  turnBegins(): void;
  isReached(): boolean;
}

/** Does one piece. True = there is no more to do. */
type LaneWork = () => boolean;

/** The first; it stays the first until there is no more of it to do. */
function doOne(works: Set<LaneWork>): void {
  for (const work of works) {
    if (work()) works.delete(work);
    return;
  }
}
