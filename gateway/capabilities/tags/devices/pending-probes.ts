import type { ConnectionTest } from '#common/control/messages.ts';
import { PROBES_PENDING_MAX } from './limits.ts';
import type { Answer } from './messages.ts';

interface Probe {
  readonly begin: number;
  resolve(test: ConnectionTest): void;
  reject(error: Error): void;
}

/** Connection tests under way in the thread. Limit: PROBES_PENDING_MAX. */
export class PendingProbes {
  readonly #pending = new Map<number, Probe>();
  #last = 0;

  get size(): number {
    return this.#pending.size;
  }

  /** `ask` gets the number under which it is answered. Rejects when the drivers themselves failed. */
  run(ask: (probe: number) => void): Promise<ConnectionTest> {
    const text = `${PROBES_PENDING_MAX} connections are being tested already; try again when they are done`;
    if (this.#pending.size >= PROBES_PENDING_MAX) return Promise.resolve({ ok: false, text, durationMs: 0 });
    const probe = ++this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<ConnectionTest>();
    this.#pending.set(probe, { begin: performance.now(), resolve, reject });
    ask(probe);
    return promise;
  }

  answered(answer: Extract<Answer, { to: 'probe' }>): void {
    const probe = this.#pending.get(answer.probe);
    this.#pending.delete(answer.probe);
    if ('test' in answer) probe?.resolve(answer.test);
    else probe?.reject(new Error(`a connection could not be tested: ${answer.failed}`));
  }

  /** None of them will be answered. */
  failAll(text: string): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    const now = performance.now();
    for (const { begin, resolve } of pending) resolve({ ok: false, text, durationMs: Math.round(now - begin) });
  }
}
