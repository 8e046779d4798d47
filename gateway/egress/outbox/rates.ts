/** Events that were added and removed during the last minute, in steps of a second. */
const SECONDS = 60;
/** A rate over a shorter time would be a guess. */
const SECONDS_MIN = 10;

export interface Flow {
  accepted: number;
  delivered: number;
  /** Bytes of the buffer. */
  bytesIn: number;
  bytesOut: number;
}

export class Rates {
  readonly #startSecond: number;
  readonly #ring: Flow[] = Array.from({ length: SECONDS }, none);
  #second: number;

  constructor(nowMs: number) {
    this.#second = Math.floor(nowMs / 1000);
    this.#startSecond = this.#second;
  }

  add(nowMs: number, flow: Partial<Flow>): void {
    const slot = this.#at(nowMs);
    slot.accepted += flow.accepted ?? 0;
    slot.delivered += flow.delivered ?? 0;
    slot.bytesIn += flow.bytesIn ?? 0;
    slot.bytesOut += flow.bytesOut ?? 0;
  }

  lastMinute(nowMs: number): Flow {
    this.#at(nowMs);
    return this.#ring.reduce(sum, none());
  }

  /** Net growth per second. */
  growth(nowMs: number): { bytesPerSecond: number; eventsPerSecond: number } {
    const { accepted, delivered, bytesIn, bytesOut } = this.lastMinute(nowMs);
    const seconds = Math.min(SECONDS, Math.max(SECONDS_MIN, this.#second - this.#startSecond + 1));
    return { bytesPerSecond: (bytesIn - bytesOut) / seconds, eventsPerSecond: (accepted - delivered) / seconds };
  }

  #at(nowMs: number): Flow {
    const second = Math.floor(nowMs / 1000);
    const passed = Math.min(second - this.#second, SECONDS);
    for (let step = 1; step <= passed; step++) this.#ring[(second - passed + step) % SECONDS] = none();
    if (second > this.#second) this.#second = second;
    return this.#ring[this.#second % SECONDS] ?? none();
  }
}

function none(): Flow {
  return { accepted: 0, delivered: 0, bytesIn: 0, bytesOut: 0 };
}

function sum(all: Flow, one: Flow): Flow {
  return {
    accepted: all.accepted + one.accepted,
    delivered: all.delivered + one.delivered,
    bytesIn: all.bytesIn + one.bytesIn,
    bytesOut: all.bytesOut + one.bytesOut,
  };
}
