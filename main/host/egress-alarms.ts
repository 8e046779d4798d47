import type { EgressNews } from '#common/control/messages.ts';
import type { Alarms } from './alarms.ts';
import { namesInWords } from './names-in-words.ts';

/**
 * Alarms about store and forward, from the gateway's reports. A new gateway reports everything again; until then the
 * alarms are unchanged, because waiting events are still on disk.
 */
const BACKLOG_FROM = 0.8;
/** Lower, as a hysteresis. */
const BACKLOG_UNTIL = 0.75;
const TARGETS_LISTED_MAX = 5;
const REASON_CHARS_MAX = 200;
const GATEWAY_ALARMS = ['egress_unavailable', 'egress_sends_held', 'egress_calls_refused'];

export function createEgressAlarms(
  alarms: Alarms,
  nameOf: (target: string) => string = hostOf,
): { tell(news: EgressNews): void; gatewayGone(): void } {
  let backlog = false;
  const setNamed = (code: string, names: readonly string[]): void => {
    const targets = namesInWords(names);
    alarms.set(code, names.length > 0, { values: { targets }, subject: targets });
  };
  return {
    tell({ paused, dead, filled, trouble, sendsHeldBy, shareFull, callsRefusedTo }) {
      backlog = filled >= (backlog ? BACKLOG_UNTIL : BACKLOG_FROM);
      alarms.set('egress_unavailable', trouble !== null, {
        values: { reason: (trouble ?? '').slice(0, REASON_CHARS_MAX) },
      });
      alarms.set('egress_paused', paused.length > 0, {
        text: pausedText(paused),
        values: {
          targets: targetList(paused, (target) => target),
          places: targetList(paused, nameOf),
          ...refusedWith(paused),
        },
        subject: paused.map(({ target }) => target).join(' '),
      });
      alarms.set('egress_backlog', backlog, { values: { percent: percentOf(filled) } });
      alarms.set('egress_dead', dead > 0, { values: { count: dead } });
      setNamed('egress_sends_held', sendsHeldBy);
      setNamed(
        'egress_share_full',
        shareFull.map(({ project, target }) => `${target} (${project})`),
      );
      setNamed('egress_calls_refused', callsRefusedTo);
    },
    // Reports about its own state end with it; waiting events are still on the disk.
    gatewayGone: () => GATEWAY_ALARMS.forEach((code) => alarms.clear(code)),
  };
}

/** With the causes, which are in English. */
function pausedText(paused: EgressNews['paused']): string {
  return `Nothing is sent to ${pausedList(paused)}: what is accepted waits on the disk until the target is resumed.`;
}

function pausedList(paused: EgressNews['paused']): string {
  const listed = paused.slice(0, TARGETS_LISTED_MAX).map(({ target, reason, by }) => {
    const cause = by === null ? (reason ?? 'unknown reason') : `paused by ${by}`;
    return `${target} (${cause.slice(0, REASON_CHARS_MAX)})`;
  });
  const more = paused.length - listed.length;
  return listed.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The one target that refuses the credentials, as worded by `gateway/egress/outbox/retry.ts`; for a title. */
function refusedWith(paused: EgressNews['paused']): { status?: string } {
  const [first] = paused;
  const status =
    first?.by === null && paused.length === 1 ? /\banswered (40[13])$/.exec(first.reason ?? '')?.[1] : null;
  return typeof status === 'string' ? { status } : {};
}

const hostOf = (target: string): string => target.replace(/^https?:\/\//, '');

/** Without the causes, which are in English: for a sentence in the reader's language. */
function targetList(paused: EgressNews['paused'], nameOf: (target: string) => string): string {
  const listed = paused.slice(0, TARGETS_LISTED_MAX).map(({ target }) => nameOf(target));
  return [...listed, ...(paused.length > listed.length ? ['…'] : [])].join(', ');
}

function percentOf(filled: number): number {
  return Math.min(100, Math.floor(filled * 100));
}
