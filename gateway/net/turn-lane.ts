/**
 * A share of each turn of the event loop, for work that is done in pieces: `msPerTurnMax`, plus one piece. Projects
 * take turns, however much work each has; the work of one project is done in order.
 *
 * Limits: the number of pieces that the callers add; nothing is refused here.
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

  /** Schedules the work: one piece in each of the project's turns. */
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

/** A further limit per turn. */
interface TurnLimit {
  /** Called before the pieces of a turn, after `turnLater` or `add` was called. */
  turnBegins(): void;
  isReached(): boolean;
}

/** Does one piece. True: the work is complete. */
type LaneWork = () => boolean;

/** The first item; it remains first until it is done. */
function doOne(works: Set<LaneWork>): void {
  for (const work of works) {
    if (work()) works.delete(work);
    return;
  }
}
