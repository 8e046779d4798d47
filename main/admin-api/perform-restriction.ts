import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import { cannotBeSaved, type UnsavedChange } from '../host/unsaved-changes.ts';
import { type ActContext, type NamedActRow, performAct } from './acts.ts';
import type { Services } from './call.ts';
import {
  type HeldChange,
  heldChange,
  heldId,
  heldParts,
  restrictionOf,
  type RestrictionServices,
  subjectOf,
} from './held-change.ts';

/** The restricted object in a sentence: `the revocation of the key "MES"`. */
export interface Words {
  readonly what: string;
  readonly german: string;
}

type KeepServices = RestrictionServices & Pick<Services, 'audit' | 'unsaved'>;
type Parts = KeepServices & Pick<Services, 'makeRoom'>;

/** The part that is kept across a restart. */
const heldRecord = z.strictObject({
  what: z.string(),
  german: z.string(),
  who: z.record(z.string(), z.unknown()),
  row: z.looseObject({ act: z.string() }),
  change: heldChange,
});
type HeldRecord = z.infer<typeof heldRecord>;

/**
 * An act that takes rights away is in force before it is saved, and stays in force when it cannot be saved: a full disk
 * must not keep a stolen key valid. It takes no lock, so that nobody can delay it by other changes. Throws `not_saved`
 * when it cannot be saved; the host saves the change, with its journal rows, as soon as the disk allows. This is the one
 * exception to "nothing is done that is not in the journal first" (acts.ts).
 */
export async function performRestriction(
  services: Parts & Pick<Services, 'restrictions'>,
  context: ActContext,
  row: NamedActRow,
  change: HeldChange,
  words: Words,
): Promise<void> {
  const restriction = restrictionOf(services, change);
  const refusal = thrownBy(() => restriction.check());
  // In the journal like every refused act.
  if (refusal !== null) return performAct(services, context, row, () => Promise.reject(refusal));
  const ids = heldParts(change).map(heldId);
  // An earlier attempt stays in force, whatever becomes of this one.
  const wasHeld = ids.some((id) => services.unsaved.has(id));
  services.restrictions.add(subjectOf(change));
  restriction.hold();
  const enforced = await restriction.enforce().then(
    () => null,
    (error: unknown) => ({ error }),
  );
  const { saved, error } = await saveWithRoom(services, context, row, () => restriction.save());
  if (error === null) {
    for (const id of ids) services.unsaved.drop(id);
    if (enforced !== null) throw enforced.error;
    return;
  }
  if (saved) throw error;
  if (restriction.isSuperseded()) throw error;
  if (cannotBeSaved(error)) {
    // Again: an earlier change that was being saved may have released it.
    restriction.hold();
    throw keepUnsaved(services, context, row, change, words, error);
  }
  if (!wasHeld) restriction.release();
  throw error;
}

function thrownBy(check: () => void): Error | null {
  try {
    check();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error('the check failed', { cause: error });
  }
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
      keepParts(services, record.data);
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
  const survives = keepParts(services, { ...words, who: { ...who }, row, change });
  const restart = survives ? 'It survives a restart of Sluice' : 'Until then, a restart of Sluice undoes it';
  const detail = `In force now, but not saved: ${words.what}. It is saved as soon as the disk of the data folder has room. ${restart}. Free disk space.`;
  return new SluiceError('not_saved', detail, { cause });
}

/** Keeps a change that is in force until it can be saved. False when a restart undoes it. */
export function keepParts(services: KeepServices, record: HeldRecord): boolean {
  for (const change of heldParts(record.change)) services.unsaved.keep(unsavedOf(services, { ...record, change }));
  return services.unsaved.survive;
}

function unsavedOf(services: KeepServices, record: HeldRecord): UnsavedChange {
  const { what, german, who, row, change } = record;
  const restriction = restrictionOf(services, change);
  return {
    id: heldId(change),
    what,
    german,
    record,
    save: () => performAct(services, { who }, row, async () => void (await restriction.saveHeld())),
    release: restriction.release,
  };
}
