import { phrase } from '#common/alarms/phrase.ts';
import type { Alarms } from './alarms.ts';
import type { UnsavedChanges } from './unsaved-changes.ts';

const NAMED_MAX = 3;
const CODES = { survive: 'changes_unsaved', undone: 'changes_undone_by_restart' } as const;

/** An alarm that names the changes; another one if a restart would undo them; a third for unreadable ones. */
export function setUnsavedAlarms(
  alarms: Alarms,
  unsaved: Pick<UnsavedChanges, 'list' | 'survive' | 'unreadable'>,
): void {
  const changes = unsaved.list();
  const rest = changes.length - NAMED_MAX;
  const names = changes.slice(0, NAMED_MAX).map(({ what }) => what);
  if (rest > 0) names.push(phrase('more', { count: String(rest) }));
  const more = {
    values: { count: changes.length },
    phrases: { names },
    subject: changes.map(({ id }) => id).join(' '),
  };
  const standing = changes.length > 0;
  alarms.set(CODES.survive, standing && unsaved.survive, more);
  alarms.set(CODES.undone, standing && !unsaved.survive, more);
  const { unreadable } = unsaved;
  alarms.set('changes_unreadable', unreadable > 0, { values: { count: unreadable }, subject: String(unreadable) });
}
