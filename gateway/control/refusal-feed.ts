import type { GatewayEvent } from '#common/control/messages.ts';

const EVENTS_PER_SECOND_MAX = 20;
const WARNED_MAX = 1000;

/** Live news for the host. Bounded: a flood of refusals must not become a flood on the control channel. */
export class RefusalFeed {
  readonly #send: (event: GatewayEvent) => void;
  readonly #warned = new Set<string>();
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

  /** Said once per pipeline; the count is in the statistics. */
  errorWith200(project: string, pipeline: string): void {
    const id = `${project}/${pipeline}`;
    if (this.#warned.has(id) || this.#warned.size >= WARNED_MAX) return;
    this.#warned.add(id);
    const message = 'It replied with status 200 and an "error" in the body; give errors a status of their own.';
    this.#send({ kind: 'pipeline-warning', project, pipeline, code: 'error_with_200', message });
  }
}
