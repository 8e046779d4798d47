import { TurnLane } from '../net/turn-lane.ts';
import { LANE_MS_PER_TURN_MAX, LANE_READS_PER_TURN_MAX } from './limits.ts';

/**
 * The part of the event loop that long bodies get. They are read, weighed and parsed in pieces, so that short requests are
 * served in between. The bodies of one project are decoded one after the other.
 *
 * Limits: the gateway's connections, each of which has one body here.
 */
export class BodyLane {
  readonly #lane = new TurnLane(LANE_MS_PER_TURN_MAX, {
    turnBegins: () => (this.#reads = 0),
    isReached: () => this.#reads >= LANE_READS_PER_TURN_MAX,
  });
  #reads = 0;

  /** Whether a chunk of a long body may be followed by another in this turn. Counts it. */
  mayRead(): boolean {
    this.#reads += 1;
    this.#lane.turnLater();
    return this.#reads <= LANE_READS_PER_TURN_MAX;
  }

  /** Has a body decoded: `piece` is called in the project's turns until it answers true. */
  decode(project: string, piece: () => boolean): void {
    this.#lane.add(project, piece);
  }

  /** Has the next chunk read in a turn of the project. */
  readLater(project: string, read: () => void): void {
    this.#lane.add(project, () => {
      this.#reads += 1;
      read();
      return true;
    });
  }
}
