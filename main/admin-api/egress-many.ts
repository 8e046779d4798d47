import type { SluiceError } from '#common/errors/catalogue.ts';
import type { EgressEvent, EgressEventState } from '#common/model/egress.ts';
import { failure, record } from './acts.ts';
import type { Context, Services } from './call.ts';
import { actAndTell, eventRow, isCode } from './egress-acts.ts';

/**
 * One act on the events of a filter. The journal has two rows of the act, before and after it, and one row of each
 * event with its outcome; events that disappeared in the meantime have none.
 */
export interface ManyActs {
  readonly act: 'retry' | 'discard';
  readonly state: EgressEventState;
  readonly target: string | null;
  readonly cursor: string | null;
  readonly limit: number;
}

export interface ManyDone {
  done: number;
  gone: number;
  refused: { event: string; reason: string }[];
  next: string | null;
}

/** Rows of the journal that are written together: after a failure of the journal at most this many acts have no row. */
const ROWS_TOGETHER = 20;

export function actOnMany(services: Services, context: Context<unknown, unknown>, many: ManyActs): Promise<ManyDone> {
  const { act, state, target, limit } = many;
  const what = `${state === 'dead' ? 'dead letters' : 'queued events'} of ${target ?? 'all targets'}, at most ${limit}`;
  return actAndTell(
    services,
    context,
    { act: `egress.${act}-many`, detail: what, ...(target !== null && { target }) },
    () => eachOf(services, context, many),
    ({ done, refused }) => ({ detail: `${what}; ${done} done, ${refused.length} refused` }),
  );
}

/** If the gateway fails, its error is the response: the rows of the events show how far the act came. */
async function eachOf(services: Services, context: Context<unknown, unknown>, many: ManyActs): Promise<ManyDone> {
  const { act, state, target, cursor, limit } = many;
  const page = await services.gateway.call('egress-events', { state, target, cursor, limit, payloads: false });
  const result: ManyDone = { done: 0, gone: 0, refused: [], next: page.next };
  for (let first = 0; first < page.items.length; first += ROWS_TOGETHER) {
    const rows: Promise<void>[] = [];
    try {
      for (const event of page.items.slice(first, first + ROWS_TOGETHER)) {
        const error = await errorOf(services, event, act);
        count(result, event, error);
        if (error === null || !isCode(error, 'unknown')) rows.push(journaled(services, context, event, act, error));
      }
    } finally {
      await Promise.all(rows);
    }
  }
  return result;
}

function count(result: ManyDone, { id }: EgressEvent, error: SluiceError | null): void {
  if (error === null) result.done++;
  else if (error.code === 'unknown') result.gone++;
  else result.refused.push({ event: id, reason: error.message });
}

/** Null: done. Throws if the gateway fails, and not only this event is refused. */
async function errorOf({ gateway }: Services, { id }: EgressEvent, act: ManyActs['act']): Promise<SluiceError | null> {
  try {
    await gateway.call('egress-event-act', { event: id, act });
    return null;
  } catch (error) {
    if (isCode(error, 'unknown') || isCode(error, 'conflict')) return error;
    throw error;
  }
}

function journaled(
  { audit }: Services,
  { who }: Context<unknown, unknown>,
  event: EgressEvent,
  act: ManyActs['act'],
  error: SluiceError | null,
): Promise<void> {
  const outcome = error === null ? { status: 200 } : failure(error);
  const row = { ...who, ...eventRow(event), act: `egress.${act}`, ...outcome };
  return record(audit, row, 'The act on this event was done, and further ones were not begun.');
}
