import type { ShellActivity } from '../host/shell-view.ts';
import type { Words } from './words.ts';

/**
 * The question before Sluice ends, which names callers that would get no response. The first button is the safe one.
 */
export interface Question {
  message: string;
  detail: string;
  buttons: [safe: string, other: string];
}

/** A caller within this time counts as waiting. */
export const ACTIVE_MS = 5 * 60_000;
const NAMES_MAX = 6;

/** `activity` null: it could not be read in time. */
export function quitQuestion(activity: ShellActivity | null, nowMs: number, words: Words): Question {
  return {
    message: words.quitQuestion,
    detail: detailOf(activity, nowMs, words),
    buttons: [words.keepServing, words.quitNow],
  };
}

function detailOf(activity: ShellActivity | null, nowMs: number, words: Words): string {
  if (activity === null) return words.quitUnknown;
  const active = activity.callers.filter(({ lastCallAt }) => Date.parse(lastCallAt ?? '') > nowMs - ACTIVE_MS);
  const rate = activity.callsPerSecond ?? 0;
  const lines = [
    active.length > 0 ? words.quitCallers(namesOf(active, words)) : null,
    rate > 0 ? words.quitRate(rate < 10 ? rate.toFixed(1) : rate.toFixed(0)) : null,
  ].filter((line) => line !== null);
  return lines.length > 0 ? lines.join('\n') : words.quitNobody;
}

function namesOf(callers: ShellActivity['callers'], words: Words): string {
  const named = callers.map(({ name, ip }) => (ip === null ? name : `${name} (${ip})`));
  const more = named.length - NAMES_MAX;
  return [...named.slice(0, NAMES_MAX), ...(more > 0 ? [words.more(more)] : [])].join(', ');
}
