import { SluiceError } from '#common/errors/catalogue.ts';
import type { UserRecord } from '#common/model/records.ts';
import { cannotBeSaved } from '../host/unsaved-changes.ts';
import { type ActRow, performAct } from './acts.ts';
import type { Context, Services } from './call.ts';
import { notSaved } from './perform-restriction.ts';

/**
 * A deactivation that the vault refused to write is in force all the same: the user's sessions end and log-ins are
 * refused while the host tries to save it. The vault's own checks come first, because a deactivation may not be
 * allowed.
 */
export async function performDeactivation(
  services: Pick<Services, 'audit' | 'people' | 'unsaved' | 'makeRoom'>,
  context: Pick<Context<unknown, unknown>, 'who'>,
  row: ActRow,
  userId: string,
  change: () => Promise<UserRecord>,
): Promise<UserRecord> {
  const id = unsavedUser(userId);
  const what = `the deactivation of the user ${userId}`;
  let unwritten: unknown = null;
  let saved = false;
  const save = () =>
    performAct(services, context, row, async () => {
      const user = await change().catch((error: unknown) => {
        if (error instanceof SluiceError && error.code === 'internal') unwritten = error;
        throw error;
      });
      saved = true;
      return user;
    });
  try {
    const user = await save().catch((error: unknown) => {
      if (saved || !cannotBeSaved(error) || !services.makeRoom()) throw error;
      return save();
    });
    services.unsaved.drop(id);
    return user;
  } catch (error) {
    if (saved || unwritten === null) throw error;
    services.people.suspend(userId);
    services.unsaved.keep({
      id,
      what,
      // The user may have been activated again meanwhile.
      save: async () => void (services.unsaved.has(id) && (await save())),
      release: () => services.people.endSuspension(userId),
    });
    throw notSaved(what, unwritten);
  }
}

/** The id of a user's deactivation among the unsaved changes. */
export function unsavedUser(userId: string): string {
  return `user ${userId}`;
}
