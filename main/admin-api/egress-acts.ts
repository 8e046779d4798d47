import { SluiceError } from '#common/errors/catalogue.ts';
import type { EgressEvent, EgressEventDetail, EgressTarget } from '#common/model/egress.ts';
import { type ActRow, performAct } from './acts.ts';
import { type Context, type Services, unknown } from './call.ts';

/** Shared by the calls for store and forward. */
const ID_CHARS_MAX = 300;

type Named = Pick<Context<unknown, unknown>, 'param'>;

/**
 * IDs are created by the gateway. An impossible one is not looked up, and a long one is never written to the journal.
 */
function idOf({ param }: Named, what: 'target' | 'event'): string {
  const id = param(what);
  if (id === '' || id.length > ID_CHARS_MAX) throw unknown(what);
  return id;
}

export function isCode(error: unknown, code: 'unknown' | 'conflict'): error is SluiceError {
  return error instanceof SluiceError && error.code === code;
}

/** Throws `unknown`. */
export async function knownTarget({ gateway }: Services, context: Named): Promise<EgressTarget> {
  const id = idOf(context, 'target');
  const { targets } = await gateway.call('egress-state', {});
  const target = targets.find((one) => one.id === id);
  if (target === undefined) throw unknown('target');
  return target;
}

/** Throws `unknown`. `payload`: whether the payload is requested. */
export async function knownEvent({ gateway }: Services, context: Named, payload: boolean): Promise<EgressEventDetail> {
  const found = await gateway.call('egress-event', { event: idOf(context, 'event'), payload });
  if (found === null) throw unknown('event');
  return payload ? found : { ...found, payload: null };
}

/** Identifies the event after it was removed, without its content. */
export function eventRow(event: EgressEvent, more = ''): ActRow {
  const { id, project, pipeline, node, method, origin, acceptedAt } = event;
  const detail = `${method} to ${origin} from node ${node}, accepted ${acceptedAt}${more}`;
  return { target: id, project, pipeline, detail };
}

/** An audited action, with a notification of open pages. */
export async function actAndTell<T>(
  services: Services,
  context: Context<unknown, unknown>,
  row: ActRow,
  perform: () => Promise<T>,
  outcome?: (value: T) => Partial<ActRow>,
): Promise<T> {
  const value = await performAct(services, context, row, perform, outcome);
  services.hub.publish({ kind: 'changed', what: 'egress' });
  return value;
}
