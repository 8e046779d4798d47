import { SluiceError } from '#common/errors/catalogue.ts';
import { cannotBeSaved } from '../host/unsaved-changes.ts';
import { type ActRow, performAct } from './acts.ts';
import type { Context, Services } from './call.ts';

export interface Restriction<T> {
  /** Such as `key k1`. */
  readonly id: string;
  /** Such as `the revocation of the key "MES"`. */
  readonly what: string;
  /** Puts it into force, in the gateway too, without the disk. */
  enforce(): Promise<void>;
  save(): Promise<T> | T;
  /** Runs a later attempt to save where nothing else changes the same thing. */
  inTurn(attempt: () => Promise<void>): Promise<void>;
  /** Takes back what `enforce` did in this process, when the change turns out to be impossible. */
  release(): void;
}

/**
 * An act that takes rights away is in force before it is saved, and stays in force when it cannot be saved: a full disk
 * must not keep a stolen key valid. Throws `not_saved` then; the host saves the change, with its journal rows, as soon
 * as the disk allows. This is the one exception to "nothing is done that is not in the journal first" (acts.ts).
 */
export async function performRestriction<T>(
  services: Pick<Services, 'audit' | 'unsaved' | 'makeRoom'>,
  context: Pick<Context<unknown, unknown>, 'who'>,
  row: ActRow,
  restriction: Restriction<T>,
): Promise<T> {
  const { id, what, release } = restriction;
  // An earlier attempt stays in force, whatever becomes of this one.
  const wasHeld = services.unsaved.has(id);
  const enforced = await restriction.enforce().then(
    () => null,
    (error: unknown) => ({ error }),
  );
  let saved = false;
  const save = () =>
    performAct(services, context, row, async () => {
      const value = await restriction.save();
      saved = true;
      return value;
    });
  try {
    const value = await save().catch((error: unknown) => {
      if (saved || !cannotBeSaved(error) || !services.makeRoom()) throw error;
      return save();
    });
    services.unsaved.drop(id);
    if (enforced !== null) throw enforced.error;
    return value;
  } catch (error) {
    if (saved) throw error;
    if (!cannotBeSaved(error)) {
      if (!wasHeld) release();
      throw error;
    }
    const retry = () =>
      restriction.inTurn(async () => {
        // Another change may have taken its place while this one waited.
        if (services.unsaved.has(id)) await save();
      });
    services.unsaved.keep({ id, what, save: retry, release });
    throw notSaved(what, error);
  }
}

export function notSaved(what: string, cause: unknown): SluiceError {
  const detail = `In force now, but not saved: ${what}. It is saved as soon as the disk of the data folder has room; until then, a restart of Sluice undoes it. Free disk space.`;
  return new SluiceError('not_saved', detail, { cause });
}
