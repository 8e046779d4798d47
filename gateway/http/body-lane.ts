import { TurnLane } from '../net/turn-lane.ts';
import { LANE_MS_PER_TURN_MAX, LANE_READS_PER_TURN_MAX } from './limits.ts';

/**
 * The part of the event loop's time that long bodies may use. They are read, weighed and parsed in pieces, so that
 * short requests are served in between. The bodies of one project are decoded one after the other.
 *
 * Limits: the gateway's connections, each of which has at most one body here.
 */
export class BodyLane {
  readonly #lane = new TurnLane(LANE_MS_PER_TURN_MAX, {
    turnBegins: () => (this.#reads = 0),
    isReached: () => this.#reads >= LANE_READS_PER_TURN_MAX,
  });
  #reads = 0;

  /** Whether another chunk of a long body may be read in this turn. Counts the chunk. */
  mayRead(): boolean {
    this.#reads += 1;
    this.#lane.turnLater();
    return this.#reads <= LANE_READS_PER_TURN_MAX;
  }

  /** Schedules the decoding of a body: calls `piece` in the project's turns until it returns true. */
  decode(project: string, piece: () => boolean): void {
    this.#lane.add(project, piece);
  }

  /** Schedules reading of the next chunk for a turn of the project. */
  readLater(project: string, read: () => void): void {
    this.#lane.add(project, () => {
      this.#reads += 1;
      read();
      return true;
    });
  }
}
