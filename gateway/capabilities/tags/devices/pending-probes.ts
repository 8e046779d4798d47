import type { ConnectionTest } from '#common/control/messages.ts';
import { PendingRequests } from '#common/node/pending-requests.ts';
import { PROBES_PENDING_MAX } from './limits.ts';
import type { Answer } from './messages.ts';

/** Running connection tests in the thread. Limit: PROBES_PENDING_MAX. */
export class PendingProbes {
  /** Each with its start time. */
  readonly #pending = new PendingRequests<ConnectionTest, number>();

  get size(): number {
    return this.#pending.size;
  }

  /** `ask` receives the ID of the response. Rejects if the drivers themselves fail. */
  run(ask: (probe: number) => void): Promise<ConnectionTest> {
    const text = `${PROBES_PENDING_MAX} connections are being tested already; try again when they are done`;
    if (this.#pending.size >= PROBES_PENDING_MAX) return Promise.resolve({ ok: false, text, durationMs: 0 });
    const { id, promise } = this.#pending.add(performance.now());
    ask(id);
    return promise;
  }

  answered(answer: Extract<Answer, { to: 'probe' }>): void {
    if ('test' in answer) this.#pending.resolve(answer.probe, answer.test);
    else this.#pending.reject(answer.probe, new Error(`a connection could not be tested: ${answer.failed}`));
  }

  /** No more responses will arrive. */
  failAll(text: string): void {
    const now = performance.now();
    for (const { info: begin, resolve } of this.#pending.takeAll())
      resolve({ ok: false, text, durationMs: Math.round(now - begin) });
  }
}
