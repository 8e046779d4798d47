import type { ShareUse } from '#common/control/messages.ts';
import type { Alarms } from './alarms.ts';

const NAMES_TOLD_MAX = 5;

/** `uses` empty: nobody uses up their share any more. */
export function tellOfShares(alarms: Alarms, uses: readonly ShareUse[]): void {
  const all = new Set(uses.map(({ name, project }) => (name === null ? project : `${name} (${project})`)));
  const names = [...all].toSorted();
  const more = names.length > NAMES_TOLD_MAX ? ` +${names.length - NAMES_TOLD_MAX}` : '';
  const told = names.slice(0, NAMES_TOLD_MAX).join(', ') + more;
  alarms.set(
    'share_used_up',
    told !== '',
    `Calls beyond a share are refused, so that others are served: ${told}. The journal says why.`,
    {
      values: { names: told },
      subject: told,
    },
  );
}
