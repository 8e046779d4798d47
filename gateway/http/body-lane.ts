import { TurnLane } from '../net/turn-lane.ts';
import { CHUNK_BYTES, LANE_BYTES_PER_TURN_MAX, LANE_CHUNK_BYTES_MIN, LANE_MS_PER_TURN_MAX } from './limits.ts';

/**
 * The share of the event loop's time for long bodies. They are read, measured and parsed in pieces, so that short
 * requests are served in between. The bodies of one project are decoded one after the other.
 *
 * Limits: the connections of the gateway, each of which has at most one body here.
 */
export class BodyLane {
  readonly #lane = new TurnLane(LANE_MS_PER_TURN_MAX, {
    turnBegins: () => (this.#bytes = 0),
    isReached: () => this.#bytes >= LANE_BYTES_PER_TURN_MAX,
  });
  /** Charged in this turn. */
  #bytes = 0;

  /** Charges a chunk of a long body to this turn. False: no more may be read in this turn. */
  mayReadAfter(chunkBytes: number): boolean {
    this.#bytes += Math.max(chunkBytes, LANE_CHUNK_BYTES_MIN);
    this.#lane.turnLater();
    return this.#bytes <= LANE_BYTES_PER_TURN_MAX;
  }

  /** Schedules the decoding of a body: calls `piece` in the project's turns until it returns true. */
  decode(project: string, piece: () => boolean): void {
    this.#lane.add(project, piece);
  }

  /** Schedules reading of the next chunk for a turn of the project. */
  readLater(project: string, read: () => void): void {
    this.#lane.add(project, () => {
      this.#bytes += CHUNK_BYTES;
      read();
      return true;
    });
  }
}
