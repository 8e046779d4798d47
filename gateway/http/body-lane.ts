import { LANE_MS_PER_TURN_MAX, LANE_READS_PER_TURN_MAX } from './limits.ts';

/**
 * The part of the event loop that long bodies get. They are read, weighed and parsed in pieces; a turn of the event loop
 * does pieces for LANE_MS_PER_TURN_MAX at most, and one piece more, so that short requests are served in between. Projects
 * take turns; the bodies of one project are decoded one after the other.
 *
 * Limits: the gateway's connections, each of which has one body here.
 */
export class BodyLane {
  /** By project, the next one first. */
  readonly #waiting = new Map<string, Set<LaneWork>>();
  readonly #nowMs: () => number;
  #reads = 0;
  #turning = false;

  constructor(nowMs = (): number => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Whether a chunk of a long body may be followed by another in this turn. Counts it. */
  mayRead(): boolean {
    this.#reads += 1;
    this.#turnLater();
    return this.#reads <= LANE_READS_PER_TURN_MAX;
  }

  /** Has the work done, a piece in each of its turns. */
  add(project: string, work: LaneWork): void {
    const ofProject = this.#waiting.get(project);
    if (ofProject) ofProject.add(work);
    else this.#waiting.set(project, new Set([work]));
    this.#turnLater();
  }

  /** Has the next chunk read in a later turn. */
  readLater(project: string, read: () => void): void {
    this.add(project, () => {
      this.#reads += 1;
      read();
      return true;
    });
  }

  #turnLater(): void {
    if (this.#turning) return;
    this.#turning = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#turning = false;
    this.#reads = 0;
    const endMs = this.#nowMs() + LANE_MS_PER_TURN_MAX;
    for (const [project, works] of this.#waiting) {
      this.#waiting.delete(project);
      this.#doOne(works);
      if (works.size > 0) this.#waiting.set(project, works);
      if (this.#reads >= LANE_READS_PER_TURN_MAX || this.#nowMs() >= endMs) break;
    }
    if (this.#waiting.size > 0) this.#turnLater();
  }

  #doOne(works: Set<LaneWork>): void {
    for (const work of works) {
      if (work()) works.delete(work);
      return;
    }
  }
}

/** Does one piece. True = there is no more to do. */
type LaneWork = () => boolean;
