import type { EventMark, WitnessLine } from './witness.ts';

/** The evidence for the evaluation: sent and arrived events, kills of the gateway, and the state at the end. */
export interface Evidence {
  readonly sent: readonly SentEvent[];
  readonly witness: readonly WitnessLine[];
  readonly kills: readonly Kill[];
  readonly deadLetters: readonly DeadLetter[];
  /** Events that the gateway still has, without dead ones. */
  readonly waiting: number;
}

export interface SentEvent extends EventMark {
  readonly target: string;
  /** A hash of the body's bytes. */
  readonly body: string;
  readonly sentAtMs: number;
  readonly endedAtMs: number;
  readonly outcome: Outcome;
}

/**
 * The outcome that its caller knows. `accepted`: the pipeline answered from port `response` or `queued`, or that it is
 * a dead letter. `refused`: the gateway said that nothing was stored. `in doubt`: there was no such response.
 */
export type Outcome =
  | { readonly kind: 'accepted'; readonly port: 'response' | 'queued' | 'dead' }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'in doubt'; readonly cause: string }
  /** The response was that of another event. */
  | { readonly kind: 'mixed up'; readonly answer: string };

export interface Kill {
  /** The signal was sent. */
  readonly atMs: number;
  /** The process had ended. */
  readonly goneAtMs: number;
  readonly when: KillTime;
}

/** `early`: right after a restart; `starting`: before it was ready; `idle`: when all was delivered. */
export type KillTime = 'load' | 'early' | 'starting' | 'idle';

export interface DeadLetter {
  readonly id: string;
  readonly idempotencyKey: string;
  readonly target: string;
  readonly event: EventMark | null;
}

const ITEMS_PER_PIECE = 1000;

/** As JSON, in pieces: a million events exceed the size limit of a string. */
export function* evidenceText(evidence: Evidence): Generator<string> {
  const { waiting, ...lists } = evidence;
  yield `{"waiting":${waiting}`;
  for (const [name, list] of Object.entries(lists)) {
    yield `,${JSON.stringify(name)}:[`;
    for (let from = 0; from < list.length; from += ITEMS_PER_PIECE) {
      const items = list.slice(from, from + ITEMS_PER_PIECE).map((item) => JSON.stringify(item));
      yield `${from === 0 ? '' : ','}${items.join(',')}`;
    }
    yield ']';
  }
  yield '}\n';
}
