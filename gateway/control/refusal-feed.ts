import type { GatewayEvent } from '#common/control/messages.ts';

const EVENTS_PER_SECOND_MAX = 20;

/** Live events for the host. Limited: a flood of refusals must not become a flood on the control channel. */
export class RefusalFeed {
  readonly #send: (event: GatewayEvent) => void;
  #second = 0;
  #sent = 0;

  constructor(send: (event: GatewayEvent) => void) {
    this.#send = send;
  }

  refused(event: { requestId: string; code: string; status: number; route: string | null; at: string }): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#sent = 0;
    }
    if (this.#sent++ < EVENTS_PER_SECOND_MAX) this.#send({ kind: 'refused', ...event });
  }
}
