import type { CallerTraffic } from '#common/model/traffic.ts';
import type { Alarms } from './alarms.ts';
import { namesInWords } from './names-in-words.ts';

/** A few refusals are a hiccup; from here on somebody waits for an answer. Over 15 minutes. */
const REFUSED_TO_TELL = 3;

/** Asked whenever the alarms are read: callers that have gone silent, and callers that are refused again and again. */
export function setCallersAlarms(alarms: Alarms, callers: readonly CallerTraffic[]): void {
  const silent = namesOf(callers.filter((caller) => caller.silent));
  alarms.set('caller_silent', silent !== '', `No call for longer than usual: ${silent}.`, {
    values: { names: silent },
    subject: silent,
  });
  const refused = namesOf(callers.filter((caller) => caller.refused >= REFUSED_TO_TELL));
  alarms.set('caller_refused', refused !== '', `Refused repeatedly: ${refused}. The journal shows the reason.`, {
    values: { names: refused },
    subject: refused,
  });
}

function namesOf(callers: readonly CallerTraffic[]): string {
  return namesInWords(callers.map(({ name }) => name).toSorted());
}
