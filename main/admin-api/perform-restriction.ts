import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import { cannotBeSaved, type UnsavedChange } from '../host/unsaved-changes.ts';
import { type ActContext, type NamedActRow, performAct } from './acts.ts';
import type { Services } from './call.ts';
import { type HeldChange, heldChange, heldId, restrictionOf, type RestrictionServices } from './held-change.ts';

/** What is restricted, in a sentence: `the revocation of the key "MES"`. */
export interface Words {
  readonly what: string;
  readonly german: string;
}

type Parts = RestrictionServices & Pick<Services, 'audit' | 'unsaved' | 'makeRoom'>;

/** What is kept over a restart. */
const heldRecord = z.strictObject({
  what: z.string(),
  german: z.string(),
  who: z.record(z.string(), z.unknown()),
  row: z.looseObject({ act: z.string() }),
  change: heldChange,
});

/**
 * An act that takes rights away is in force before it is saved, and stays in force when it cannot be saved: a full disk
 * must not keep a stolen key valid. Throws `not_saved` then; the host saves the change, with its journal rows, as soon
 * as the disk allows. This is the one exception to "nothing is done that is not in the journal first" (acts.ts).
 */
export async function performRestriction(
  services: Parts,
  context: ActContext,
  row: NamedActRow,
  change: HeldChange & { kind: 'key' | 'pipeline' },
  words: Words,
): Promise<void> {
  const restriction = restrictionOf(services, change);
  const id = heldId(change);
  // An earlier attempt stays in force, whatever becomes of this one.
  const wasHeld = services.unsaved.has(id);
  const enforced = await enforce().then(
    () => null,
    (error: unknown) => ({ error }),
  );
  const { saved, error } = await saveWithRoom(services, context, row, () => restriction.save());
  if (error === null) {
    services.unsaved.drop(id);
    if (enforced !== null) throw enforced.error;
    return;
  }
  if (saved) throw error;
  if (cannotBeSaved(error)) throw keepUnsaved(services, context, row, change, words, error);
  if (!wasHeld) restriction.release();
  throw error;

  async function enforce(): Promise<void> {
    restriction.hold();
    await restriction.tell();
  }
}

/**
 * The same for a person's or a role's rights. The vault's own checks come first, because such a change may not be
 * allowed: it is held only when the vault has allowed it and could not be written.
 */
export async function performPeopleRestriction(
  services: Parts,
  context: ActContext,
  row: NamedActRow,
  change: HeldChange & { kind: 'user' | 'role' },
  words: Words,
): Promise<void> {
  const restriction = restrictionOf(services, change);
  let unwritten = false;
  const { saved, error } = await saveWithRoom(services, context, row, async () => {
    try {
      await restriction.save();
    } catch (failure) {
      unwritten = failure instanceof SluiceError && failure.code === 'internal';
      throw failure;
    }
  });
  if (error === null) return services.unsaved.drop(heldId(change));
  if (saved || !unwritten) throw error;
  restriction.hold();
  throw keepUnsaved(services, context, row, change, words, error);
}

/** Puts into force again what an earlier host could not save. Called before the gateway starts. */
export function takeUpHeldChanges(services: Parts & Pick<Services, 'log'>): void {
  for (const earlier of services.unsaved.earlier) {
    const record = heldRecord.safeParse(earlier);
    if (!record.success) {
      services.log.error('a held change of another release is not in force', { error: record.error });
      continue;
    }
    try {
      restrictionOf(services, record.data.change).hold();
      services.unsaved.keep(unsavedOf(services, record.data));
    } catch (error) {
      services.log.warn('a held change is not in force, because there is nothing left to restrict', {
        change: record.data.what,
        error,
      });
    }
  }
}

/** `saved`: a failure came only afterwards, with the journal row of the outcome. */
async function saveWithRoom(
  services: Parts,
  context: ActContext,
  row: NamedActRow,
  save: () => unknown,
): Promise<{ saved: boolean; error: Error | null }> {
  let saved = false;
  const attempt = () =>
    performAct(services, context, row, async () => {
      await save();
      saved = true;
    });
  try {
    await attempt().catch((error: unknown) => {
      if (saved || !cannotBeSaved(error) || !services.makeRoom()) throw error;
      return attempt();
    });
    return { saved, error: null };
  } catch (error) {
    return { saved, error: error instanceof Error ? error : new Error('the act failed', { cause: error }) };
  }
}

function keepUnsaved(
  services: Parts,
  { who }: ActContext,
  row: NamedActRow,
  change: HeldChange,
  words: Words,
  cause: unknown,
): SluiceError {
  const survives = services.unsaved.keep(unsavedOf(services, { ...words, who: { ...who }, row, change }));
  const restart = survives ? 'It survives a restart of Sluice' : 'Until then, a restart of Sluice undoes it';
  const detail = `In force now, but not saved: ${words.what}. It is saved as soon as the disk of the data folder has room. ${restart}. Free disk space.`;
  return new SluiceError('not_saved', detail, { cause });
}

function unsavedOf(services: Parts, record: z.infer<typeof heldRecord>): UnsavedChange {
  const { what, german, who, row, change } = record;
  const restriction = restrictionOf(services, change);
  const id = heldId(change);
  return {
    id,
    what,
    german,
    record,
    async save() {
      let hasTurn = false;
      const attempt = async () => {
        hasTurn = true;
        // Another change may have taken its place while this one waited.
        if (services.unsaved.has(id))
          await performAct(services, { who }, row, async () => void (await restriction.saveHeld()));
      };
      await restriction.inTurn(attempt).catch((error: unknown) => {
        // A lock that others hold says nothing about the change.
        throw hasTurn ? error : new SluiceError('overloaded', 'Other changes are under way.', { cause: error });
      });
    },
    release: restriction.release,
  };
}
