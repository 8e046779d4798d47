import type { CallerTraffic } from '#common/model/traffic.ts';
import type { Alarms } from './alarms.ts';

/** A few refusals are a hiccup; from here on somebody waits for an answer. Over 15 minutes. */
const REFUSED_TO_TELL = 3;
const NAMES_TOLD_MAX = 5;

/** Asked whenever the alarms are read: callers that have gone silent, and callers that are refused again and again. */
export function tellOfCallers(alarms: Alarms, callers: readonly CallerTraffic[]): void {
  const silent = namesOf(callers.filter((caller) => caller.silent));
  alarms.set('caller_silent', silent !== '', `No call for longer than usual: ${silent}.`, {
    values: { names: silent },
    subject: silent,
  });
  const refused = namesOf(callers.filter((caller) => caller.refused >= REFUSED_TO_TELL));
  alarms.set('caller_refused', refused !== '', `Refused again and again: ${refused}. The journal says why.`, {
    values: { names: refused },
    subject: refused,
  });
}

function namesOf(callers: readonly CallerTraffic[]): string {
  const names = callers.map(({ name }) => name).toSorted();
  const more = names.length > NAMES_TOLD_MAX ? ` +${names.length - NAMES_TOLD_MAX}` : '';
  return names.slice(0, NAMES_TOLD_MAX).join(', ') + more;
}
