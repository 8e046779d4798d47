import type { CallerTraffic } from '#common/model/traffic.ts';
import type { Alarms } from './alarms.ts';
import { namesInWords } from './names-in-words.ts';

/** A few refusals are normal; above this number, an alarm is justified. Over 15 minutes. */
const REFUSED_TO_TELL = 3;

/** Evaluated whenever the alarms are read: overdue callers, and callers that are refused repeatedly. */
export function setCallersAlarms(alarms: Alarms, callers: readonly CallerTraffic[]): void {
  const silent = namesOf(callers.filter((caller) => caller.silent));
  alarms.set('caller_silent', silent !== '', { values: { names: silent }, subject: silent });
  const refused = namesOf(callers.filter((caller) => caller.refused >= REFUSED_TO_TELL));
  alarms.set('caller_refused', refused !== '', { values: { names: refused }, subject: refused });
}

function namesOf(callers: readonly CallerTraffic[]): string {
  return namesInWords(callers.map(({ name }) => name).toSorted());
}
