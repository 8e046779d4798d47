import { egressTransferContract } from '#common/contract/egress-transfer.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { EgressEventDetail, EgressEventState, ExportedEvent } from '#common/model/egress.ts';
import { type ActRow, failure, performAct } from './acts.ts';
import type { Context, Services } from './call.ts';
import { admitAgain } from './still-admitted.ts';
import { writeOut } from './write-out.ts';

/**
 * Stored events as JSON Lines: one event per line, with its payload, but never with values of headers.
 *
 * Limits: one page of events in memory, the next one is requested when the reader has received it; limits of the reader
 * as in write-out.ts. Security: it ends with the session of the user who began it, or when the user loses the
 * permission for payloads: both are checked before each page and each piece of it. The export is then cut, and the
 * journal records that and how much can have been sent.
 */
const PAGE_EVENTS = 100;
/** Small, so that progress of a slow reader is noticed. */
const PIECE_BYTES = 64 * 1024;
const EXPORT_ACCESS = egressTransferContract.exportEvents.access;

interface ExportWanted {
  readonly state: EgressEventState;
  /** Null: all. */
  readonly target: string | null;
}

/**
 * Writes the response without its end, which follows only after the outcome is in the journal. Throws the error that
 * cut it.
 */
export async function exportEvents(
  services: Services,
  context: Context<unknown, undefined>,
  wanted: ExportWanted,
): Promise<void> {
  const { response } = context;
  const summary = `state ${wanted.state}`;
  const row = { target: wanted.target ?? 'all targets', detail: summary };
  const count = { events: 0 };
  const begin = async (): Promise<Cut | null> => {
    const pieces = exportPieces(services, context, wanted, count);
    // Before anything is written: an unavailable gateway gets its own error response.
    const first = await pieces.next();
    response.attachment(`events-${wanted.state}.jsonl`).type('application/jsonl; charset=utf-8');
    return cutOf(writeOut(resumed(first, pieces), response));
  };
  const outcome = (cut: Cut | null): Partial<ActRow> => {
    if (cut === null) return { detail: `${summary}; ${count.events} events` };
    return { ...failure(cut.error), detail: `${summary}; cut after at most ${count.events} events: ${reasonOf(cut)}` };
  };
  const cut = await performAct(services, context, row, begin, outcome);
  if (cut !== null) throw cut.error;
}

/** The error that ended an export early. */
interface Cut {
  readonly error: unknown;
}

const cutOf = (writing: Promise<void>): Promise<Cut | null> =>
  writing.then(
    () => null,
    (error: unknown) => ({ error }),
  );

/** Unexpected errors are only in the log. */
const reasonOf = ({ error }: Cut): string => (error instanceof SluiceError ? error.message : 'It failed.');

async function* exportPieces(
  services: Services,
  context: Pick<Context<unknown, unknown>, 'credential'>,
  { state, target }: ExportWanted,
  count: { events: number },
): AsyncGenerator<Uint8Array, void> {
  let cursor: string | null = null;
  do {
    admitAgain(services, context, EXPORT_ACCESS);
    const asked = { state, target, cursor, limit: PAGE_EVENTS, payloads: true };
    const page: { items: EgressEventDetail[]; next: string | null } = await services.gateway.call(
      'egress-events',
      asked,
    );
    const lines = Buffer.from(page.items.map((event) => `${JSON.stringify(exported(event))}\n`).join(''));
    count.events += page.items.length;
    for (let at = 0; at < lines.byteLength; at += PIECE_BYTES) {
      admitAgain(services, context, EXPORT_ACCESS);
      yield lines.subarray(at, at + PIECE_BYTES);
    }
    cursor = page.next;
  } while (cursor !== null);
}

async function* resumed(
  first: IteratorResult<Uint8Array, void>,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

/** Throws if an event cannot be read, because an export without it would look complete. */
function exported(event: EgressEventDetail): ExportedEvent {
  const { id, origin, project, pipeline, node, method, acceptedAt, payload } = event;
  if (payload === null) throw new Error(`the payload of event ${id} cannot be read`);
  return { id, origin, project, pipeline, node, method, acceptedAt, payload };
}
