import type { Alarms } from './alarms.ts';
import type { UnsavedChange } from './unsaved-changes.ts';

const NAMED_MAX = 3;

export function tellOfUnsaved(alarms: Alarms, changes: readonly UnsavedChange[]): void {
  const named = changes.slice(0, NAMED_MAX).map(({ what }) => what);
  const more = changes.length > NAMED_MAX ? ` and ${changes.length - NAMED_MAX} more` : '';
  alarms.set(
    'changes_unsaved',
    changes.length > 0,
    `In force, but not saved, because the data folder cannot be written: ${named.join(', ')}${more}. A restart of Sluice undoes it. Free disk space.`,
    { values: { count: changes.length }, subject: changes.map(({ id }) => id).join(' ') },
  );
}
