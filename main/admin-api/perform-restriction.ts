import { z } from 'zod';
import { inEnglish, phrase, type Phrase } from '#common/alarms/phrase.ts';
import { phraseRecord } from '#common/contract/records.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { cannotBeSaved, type UnsavedChange } from '../host/unsaved-changes.ts';
import { type ActContext, declared, type NamedActRow, performAct } from './acts.ts';
import type { Services } from './call.ts';
import {
  type HeldChange,
  type Restriction,
  heldChange,
  heldId,
  heldParts,
  narrowed,
  restrictionOf,
  type RestrictionServices,
  subjectOf,
} from './held-change.ts';
import { stated } from '#common/errors/rules.ts';

type KeepServices = RestrictionServices & Pick<Services, 'audit'>;
type Parts = KeepServices & Pick<Services, 'makeRoom'>;

/** Up to version 1.1 the texts were stored, in English and in German. */
const storedWords = z.string().transform((text) => phrase('quoted', { text }));

/** The part that is kept across a restart. `what` is used in a sentence: `the revocation of the key "MES"`. */
const heldRecord = z
  .strictObject({
    what: z.union([phraseRecord, storedWords]),
    german: z.string().optional(),
    who: z.record(z.string(), z.unknown()),
    row: z.looseObject({ act: z.string() }),
    change: heldChange,
  })
  .transform(({ what, who, row, change }) => ({ what, who, row, change }));
type HeldRecord = z.infer<typeof heldRecord>;

/**
 * An action that removes rights takes effect before it is saved, and remains in effect if it cannot be saved: a full
 * disk must not keep a stolen key valid. It takes no lock, so that other changes cannot delay it. Throws `not_saved` if
 * it cannot be saved; the host saves the change, with its journal rows, as soon as the disk allows. This is the only
 * exception to the rule that the journal is written first (acts.ts).
 *
 * Restrictions of the same subject may overlap: in whatever order they are saved or held, the strictest remains in
 * effect.
 */
export async function performRestriction(
  services: Parts & Pick<Services, 'restrictions'>,
  context: ActContext,
  row: NamedActRow,
  change: HeldChange,
  what: Phrase,
): Promise<void> {
  declared(context, row);
  const restriction = restrictionOf(services, change);
  const refusal = thrownBy(() => restriction.check());
  // In the journal like every refused action.
  if (refusal !== null) return performAct(services, context, row, () => Promise.reject(refusal));
  const begun = services.restrictions.add(subjectOf(change));
  restriction.hold();
  const enforced = await restriction.enforce().then(
    () => null,
    (error: unknown) => ({ error }),
  );
  const { saved, error } = await saveWithRoom(services, context, row, async () => {
    await restriction.save();
    // Immediately: a newer restriction may be held while the outcome is recorded.
    for (const part of heldParts(change)) services.unsaved.drop(heldId(part), begun);
  });
  if (error === null) {
    if (enforced !== null) throw enforced.error;
    return;
  }
  const left = restriction.left();
  if (saved || left.length === 0) throw error;
  const isKept = cannotBeSaved(error);
  if (isKept) for (const part of left) keepPart(services, { what, who: { ...context.who }, row, change: part }, begun);
  restriction.release();
  throw isKept ? notSaved(services, what, error) : error;
}

function thrownBy(check: () => void): Error | null {
  try {
    check();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error('the check failed', { cause: error });
  }
}

/** Applies again the changes that an earlier host could not save. Called before the gateway starts. */
export function takeUpHeldChanges(services: Parts & Pick<Services, 'log'>): void {
  services.unsaved.takeUp((earlier) => {
    const { success, data } = heldRecord.safeParse(earlier);
    if (!success) return false;
    try {
      for (const change of heldParts(data.change)) keepPart(services, { ...data, change });
    } catch (error) {
      // Anything else is tried again by the next start.
      if (!(error instanceof SluiceError)) return false;
      services.log.warn('a held change is not in force, because there is nothing left to restrict', {
        change: inEnglish(data.what),
        error,
      });
    }
    return true;
  });
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

function notSaved(services: Parts, what: Phrase, cause: unknown): SluiceError {
  const rule = services.unsaved.survive ? 'not_saved' : 'not_saved_yet';
  return new SluiceError('not_saved', stated(rule, { change: inEnglish(what) }), { cause });
}

/**
 * Applies one part and holds it until it can be saved. It is combined with a part that is already held, so that only
 * rights that both leave remain, with the journal row of the later one. `begun`: its number (latest-restrictions.ts); 0
 * for a part without one.
 */
export function keepPart(services: KeepServices, record: HeldRecord, begun = 0): void {
  const { unsaved } = services;
  const kept = unsaved.get(heldId(record.change));
  const before = kept && { record: heldRecord.parse(kept.record), begun: kept.begun };
  const given = { record, begun };
  const [later, earlier] = before && before.begun > begun ? [before, given] : [given, before];
  const change = earlier ? narrowed(later.record.change, earlier.record.change) : later.record.change;
  const restriction = restrictionOf(services, change);
  restriction.hold();
  unsaved.keep(unsavedOf(services, { ...later.record, change }, { restriction, begun: later.begun }));
  kept?.release();
}

function unsavedOf(
  services: KeepServices,
  record: HeldRecord,
  { restriction, begun }: { restriction: Restriction; begun: number },
): UnsavedChange {
  const { what, who, row, change } = record;
  return {
    id: heldId(change),
    begun,
    what,
    record,
    async save() {
      const refuseIfReplaced = (): void => {
        if (restriction.left().length === 0) throw new SluiceError('conflict', 'A later change has replaced this one.');
      };
      refuseIfReplaced();
      await performAct(services, { who }, row, async () => {
        // Including the time in which the first row was written.
        refuseIfReplaced();
        await restriction.save();
      });
    },
    release: restriction.release,
  };
}
