import type { Alarms } from './alarms.ts';
import type { UnsavedChanges } from './unsaved-changes.ts';

const NAMED_MAX = 3;
const CODES = { survive: 'changes_unsaved', undone: 'changes_undone_by_restart' } as const;

/** One alarm that names the changes; another one where a restart undoes them; one for those that cannot be read. */
export function tellOfUnsaved(alarms: Alarms, unsaved: Pick<UnsavedChanges, 'list' | 'survive' | 'unreadable'>): void {
  const changes = unsaved.list();
  const names = named(
    changes.map(({ what }) => what),
    'more',
  );
  const values = {
    count: changes.length,
    names,
    germanNames: named(
      changes.map(({ german }) => german),
      'weitere',
    ),
  };
  const more = { values, subject: changes.map(({ id }) => id).join(' ') };
  const text = `In force, but not saved, because the data folder cannot be written: ${names}.`;
  const standing = changes.length > 0;
  alarms.set(
    CODES.survive,
    standing && unsaved.survive,
    `${text} Sluice saves it as soon as there is room. Free disk space.`,
    more,
  );
  alarms.set(
    CODES.undone,
    standing && !unsaved.survive,
    `${text} A restart of Sluice undoes it. Free disk space.`,
    more,
  );
  const { unreadable } = unsaved;
  alarms.set(
    'changes_unreadable',
    unreadable > 0,
    `Revocations, stops or other restrictions of another release of Sluice (${unreadable}) were not saved and cannot be read by this one, so they are not in force. The log names them. Repeat them, then confirm it on the Overview.`,
    { values: { count: unreadable }, subject: String(unreadable) },
  );
}

function named(all: readonly string[], more: string): string {
  const rest = all.length - NAMED_MAX;
  return all.slice(0, NAMED_MAX).join(', ') + (rest > 0 ? `, ${rest} ${more}` : '');
}
