import { backoffMs, jittered } from '#common/backoff.ts';
import type { HttpResult } from '../http/contract.ts';
import {
  ANSWER_TEXT_CHARS_MAX,
  RETRY_AFTER_MS_MAX,
  RETRY_JITTER,
  RETRY_MS_FIRST,
  RETRY_MS_MAX,
  THREAD_RESTART_MS,
  THREAD_RESTART_MS_MAX,
} from './limits.ts';

/**
 * The meaning of an attempt's result (docs/spec/egress.md#retries). `retry` with `scope: 'target'`: nothing else is
 * sent to the target before it; `answered`: the target itself responded that it cannot accept this event now, which
 * counts towards the rule of the poison.
 */
export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'dead'; readonly reason: string }
  | { readonly kind: 'pause'; readonly reason: string }
  | {
      readonly kind: 'retry';
      readonly scope: 'queue' | 'target';
      readonly answered: boolean;
      readonly reason: string;
      /** The delay that the target requested, in milliseconds; null if none. */
      readonly afterMs: number | null;
    }
  | { readonly kind: 'cancelled' };

const TOO_MANY = 429;

export function judge(result: HttpResult, wallMs: number): Verdict {
  switch (result.kind) {
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'refused':
      return { kind: 'pause', reason: result.text };
    case 'unreachable':
      return { kind: 'retry', scope: 'target', answered: false, reason: result.text, afterMs: null };
    case 'timeout':
      return { kind: 'retry', scope: 'queue', answered: false, reason: result.text, afterMs: null };
    case 'answered':
      return judgeAnswer(result.status, result.headers, wallMs);
  }
}

function judgeAnswer(status: number, headers: Readonly<Record<string, string>>, wallMs: number): Verdict {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 401 || status === 403) return { kind: 'pause', reason: `it refuses calls: it answered ${status}` };
  const afterMs = readRetryAfter(headers['retry-after'], wallMs);
  const reason = `it answered ${status}`;
  if (status === TOO_MANY) return { kind: 'retry', scope: 'target', answered: false, reason, afterMs };
  if (status === 408 || status === 425 || status >= 500)
    return { kind: 'retry', scope: 'queue', answered: true, reason, afterMs };
  return { kind: 'dead', reason };
}

/** RFC 9110, 10.2.3: seconds or a date. Between the shortest delay and an hour; null if it cannot be parsed. */
export function readRetryAfter(header: string | undefined, wallMs: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : readDate(text) - wallMs;
  if (Number.isNaN(ms)) return null;
  return Math.min(Math.max(ms, RETRY_MS_FIRST), RETRY_AFTER_MS_MAX);
}

const WEEKDAY = /^[A-Z][a-z]{2,8},? /;

/**
 * RFC 9110, 5.6.7: three formats. All begin with a weekday and are in GMT, which the oldest does not state. Other texts
 * that `Date.parse` accepts ("-5", "5, 5") would be dates in the past, and cause a call every second.
 */
function readDate(text: string): number {
  return WEEKDAY.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN;
}

/** After `failures` consecutive failures (from 1): 1 s doubling to 5 min, ±20 %. `random` is from 0 to 1. */
export function retryDelayMs(failures: number, random: number): number {
  return jittered(backoffMs(failures - 1, { msMin: RETRY_MS_FIRST, msMax: RETRY_MS_MAX }), RETRY_JITTER, random);
}

/** The start of the target's response, or the reason why there is none. */
export function answerText(result: HttpResult): string {
  if (result.kind === 'cancelled') return 'the call was cut off';
  if (result.kind !== 'answered') return result.text.slice(0, ANSWER_TEXT_CHARS_MAX);
  if (result.body === null) return 'the answer was too large to keep';
  const start = Buffer.from(result.body.subarray(0, ANSWER_TEXT_CHARS_MAX * 4)).toString('utf8');
  return start
    .replaceAll(/[\p{Cc}\ufffd\s]+/gu, ' ')
    .trim()
    .slice(0, ANSWER_TEXT_CHARS_MAX);
}

/** The delay before a thread is restarted: the cause may be in the file and end the next one too. */
export function threadRestartMs(endsBefore: number): number {
  return backoffMs(endsBefore, { msMin: THREAD_RESTART_MS, msMax: THREAD_RESTART_MS_MAX });
}
