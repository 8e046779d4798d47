import type { ShareUse } from '#common/control/messages.ts';
import type { Alarms } from './alarms.ts';
import { namesInWords } from './names-in-words.ts';

/** `uses` empty: nobody uses up their share any more. */
export function tellOfShares(alarms: Alarms, uses: readonly ShareUse[]): void {
  const all = new Set(uses.map(({ name, project }) => (name === null ? project : `${name} (${project})`)));
  const told = namesInWords([...all].toSorted());
  alarms.set(
    'share_used_up',
    told !== '',
    `Calls beyond a share are refused, so that others are served: ${told}. The journal shows the reason.`,
    {
      values: { names: told },
      subject: told,
    },
  );
}
