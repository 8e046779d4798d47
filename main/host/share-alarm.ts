import type { ShareUse } from '#common/control/messages.ts';
import type { Alarms } from './alarms.ts';
import { namesInWords } from './names-in-words.ts';

/** `uses` empty: nobody exceeds their share any more. */
export function setSharesAlarms(alarms: Alarms, uses: readonly ShareUse[]): void {
  const all = new Set(uses.map(({ name, project }) => (name === null ? project : `${name} (${project})`)));
  const names = namesInWords([...all].toSorted());
  alarms.set('share_used_up', names !== '', { values: { names }, subject: names });
}
