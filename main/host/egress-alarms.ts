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
  const setNamed = (code: string, names: readonly string[], text: (targets: string) => string): void => {
    const targets = namesInWords(names);
    alarms.set(code, names.length > 0, text(targets), { values: { targets }, subject: targets });
  };
  return {
    tell({ paused, dead, filled, trouble, sendsHeldBy, shareFull, callsRefusedTo }) {
      backlog = filled >= (backlog ? BACKLOG_UNTIL : BACKLOG_FROM);
      alarms.set('egress_unavailable', trouble !== null, unavailableText(trouble ?? ''), {
        values: { reason: (trouble ?? '').slice(0, REASON_CHARS_MAX) },
      });
      alarms.set('egress_paused', paused.length > 0, pausedText(paused), {
        values: {
          targets: targetList(paused, (target) => target),
          places: targetList(paused, nameOf),
          ...refusedWith(paused),
        },
        subject: paused.map(({ target }) => target).join(' '),
      });
      alarms.set('egress_backlog', backlog, backlogText(filled), { values: { percent: percentOf(filled) } });
      alarms.set('egress_dead', dead > 0, deadText(dead), { values: { count: dead } });
      setNamed('egress_sends_held', sendsHeldBy, sendsHeldText);
      setNamed(
        'egress_share_full',
        shareFull.map(({ project, target }) => `${target} (${project})`),
        shareFullText,
      );
      setNamed('egress_calls_refused', callsRefusedTo, callsRefusedText);
    },
    // Reports about its own state end with it; waiting events are still on the disk.
    gatewayGone: () => GATEWAY_ALARMS.forEach((code) => alarms.clear(code)),
  };
}

function unavailableText(trouble: string): string {
  return `Outgoing calls cannot be stored (${trouble.slice(0, REASON_CHARS_MAX)}): the nodes that send them return an error.`;
}

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

function backlogText(filled: number): string {
  return `The buffer of outgoing calls is ${percentOf(filled)} % full; once it is full, the nodes that send them return an error.`;
}

function percentOf(filled: number): number {
  return Math.min(100, Math.floor(filled * 100));
}

function deadText(dead: number): string {
  const letters = dead === 1 ? '1 dead letter needs' : `${dead} dead letters need`;
  return `${letters} a decision: retry, edit, discard or export.`;
}

function sendsHeldText(targets: string): string {
  return `Stored calls wait: calls to ${targets} are in progress without a response and leave no room for others.`;
}

function shareFullText(targets: string): string {
  return `The share of the outgoing buffer is full for ${targets}: nodes that store calls there fail.`;
}

function callsRefusedText(targets: string): string {
  return `Direct calls to ${targets} are refused: too many are in progress.`;
}
