import type { EgressAnswer } from '#common/model/egress.ts';
import type { HttpCall, HttpResult } from '../http/contract.ts';
import { type Clock, timeText } from './clock.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import { answerText, judge, type Verdict } from './retry.ts';
import { isSqliteError } from './schema.ts';
import type { SendPlaces } from './send-places.ts';
import type { EventRow } from './store.ts';
import type { Target } from './target.ts';

/** One attempt to send an event, and the meaning of its result. */
export interface Attempt {
  readonly verdict: Verdict;
  readonly last: EgressAnswer;
  /** Null: nothing was sent. */
  readonly result: HttpResult | null;
}

type Parts = Pick<DeliveryParts, 'store' | 'client' | 'clock' | 'secrets'>;

/** Sends one event once. Its only effects here are the occupied place and the target's last response. */
export class Sender {
  readonly #parts: Parts;
  readonly #places: SendPlaces;
  readonly #cutOff = new AbortController();

  constructor(parts: Parts, places: SendPlaces) {
    this.#parts = parts;
    this.#places = places;
  }

  /** `project`: of the node that stored the event. */
  async attempt(target: Target, row: EventRow, project: string): Promise<Attempt> {
    const { client, clock } = this.#parts;
    const call = this.#callOf(target, row);
    if (typeof call === 'string') return unsendable(call, clock);
    this.#places.take(project, target, clock.nowMs());
    const result = await client.call(call, this.#cutOff.signal);
    this.#places.giveBack(project, target, clock.nowMs());
    const status = result.kind === 'answered' ? result.status : null;
    const last = {
      at: timeText(clock.wallMs()),
      status,
      text: answerText(result),
      durationMs: Math.round(result.durationMs),
    };
    target.recordAnswer(last);
    return { verdict: judge(result, clock.wallMs()), last, result };
  }

  /** Ends the calls in progress. */
  cutOff(): void {
    this.#cutOff.abort();
  }

  /** A text says why the event cannot be sent at all. */
  #callOf(target: Target, row: EventRow): HttpCall | string {
    const { store, secrets } = this.#parts;
    try {
      const line = secrets(row.line);
      if (line === null) return 'no running pipeline says how it is sent';
      const { path, contentType, traceparent, body } = store.content(row);
      return {
        origin: target.origin,
        method: row.method,
        path,
        headers: headersOf(line.headers, contentType, idempotencyKey(row), traceparent),
        body,
        timeoutMs: line.timeoutMs,
        tls: line.tls,
        // A stored event is sent at least once: its target recognizes a repetition by the key.
        repeatable: true,
        pool: '',
      };
    } catch (error) {
      // An error of the disk is not caused by the event: the thread ends and continues from the file.
      if (isSqliteError(error)) throw error;
      return 'what the outbox holds of it cannot be read: the file was changed or damaged';
    }
  }
}

function unsendable(reason: string, clock: Clock): Attempt {
  const last = { at: timeText(clock.wallMs()), status: null, text: reason, durationMs: 0 };
  return { verdict: { kind: 'dead', reason }, last, result: null };
}

/** An edited event is a different one for its receiver. */
export function idempotencyKey({ id, edits }: Pick<EventRow, 'id' | 'edits'>): string {
  return edits === 0 ? id : `${id}.${edits}`;
}

/** The author's Content-Type takes precedence over that of the body. */
function headersOf(
  own: Readonly<Record<string, string>>,
  contentType: string | null,
  key: string,
  traceparent: string | null,
): Record<string, string> {
  const named = Object.keys(own).some((name) => name.toLowerCase() === 'content-type');
  return {
    ...(contentType !== null && !named && { 'Content-Type': contentType }),
    ...own,
    'Idempotency-Key': key,
    ...(traceparent !== null && { traceparent }),
  };
}
