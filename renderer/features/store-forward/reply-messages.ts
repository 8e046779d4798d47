import type { EgressBuffer, EgressTarget } from '#common/model/egress.ts';
import { fillsSoon, targetName } from './target-view.ts';

/** A sentence in the first line of the page, by the name of its text. `tone`: its style. */
export type ReplyMessage =
  | { text: 'none' | 'calm'; tone: 'plain' }
  | { text: 'waits' | 'waitsRefusing'; tone: 'plain'; count: number }
  | { text: 'trouble'; tone: 'alarm'; reason: string }
  | { text: 'full'; tone: 'alarm' | 'strong'; target: string; seconds: number }
  | { text: 'dead'; tone: 'strong'; count: number };

/** A buffer that is full within this time concerns the users who are here today. */
const TODAY_SECONDS = 24 * 3600;

/** The first sentences of the page: waiting events, whether they fit, and conditions that need a user. */
export function targetReplyMessages(targets: readonly EgressTarget[], buffer: EgressBuffer): ReplyMessage[] {
  const dead = targets.reduce((sum, target) => sum + target.dead, 0);
  return [...waiting(targets, buffer), ...filling(targets, buffer), ...(dead > 0 ? [deadLetters(dead)] : [])];
}

const deadLetters = (count: number): ReplyMessage => ({ text: 'dead', tone: 'strong', count });

/** "Nothing is lost" is shown only while every new event is accepted too. */
function waiting(targets: readonly EgressTarget[], buffer: EgressBuffer): ReplyMessage[] {
  const count = targets.reduce((sum, target) => sum + target.queued, 0);
  if (buffer.trouble !== null)
    return [
      ...(count > 0 ? [{ text: 'waitsRefusing', tone: 'plain', count } as const] : []),
      { text: 'trouble', tone: 'alarm', reason: buffer.trouble },
    ];
  if (targets.length === 0) return [{ text: 'none', tone: 'plain' }];
  if (count === 0) return [{ text: 'calm', tone: 'plain' }];
  return [{ text: 'waits', tone: 'plain', count }];
}

/** The target that fills the buffer first. */
function filling(targets: readonly EgressTarget[], buffer: EgressBuffer): ReplyMessage[] {
  const seconds = buffer.fullInSeconds;
  if (buffer.trouble !== null || !fillsSoon(seconds)) return [];
  const [first] = targets
    .filter((target) => target.fullInSeconds !== null)
    .toSorted((a, b) => (a.fullInSeconds ?? 0) - (b.fullInSeconds ?? 0));
  const tone = seconds < TODAY_SECONDS ? 'alarm' : 'strong';
  return [{ text: 'full', tone, target: first === undefined ? '' : targetName(first.target).name, seconds }];
}
