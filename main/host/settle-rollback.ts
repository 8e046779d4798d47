import { existsSync, readdirSync } from 'node:fs';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { AuditRow } from '#common/model/audit.ts';
import { chainFolder } from '#common/node/journal/format.ts';
import type { Logger } from '#common/node/log.ts';
import { adminActs } from '../audit/admin-acts.ts';
import type { Audit } from '../contracts.ts';
import { readJournalHeads } from '../vault/journal-heads.ts';
import type { OpenedVault } from '../vault/live-vault.ts';
import { dropMeta, putMeta, readMeta } from '../vault/meta.ts';
import type { WatchedStores } from './watch-stores.ts';
import { type Act, replay, REPLAYED_ACTS } from './replay.ts';

/**
 * Handles a restored older vault (docs/spec/storage.md#an-older-vault). In this vault, a key that was revoked later is
 * valid, and a user who was deactivated later can log in with the former roles and password. The journal contains all
 * these changes; it is replayed once, before anything is served (replay.ts). If the journal cannot be trusted (missing,
 * cut, changed), every key is refused until an Administrator confirms. Sessions end with the host, so none is restored.
 *
 * Known weakness: if the whole data folder is restored, including journal and anchors, its journal does not contain
 * later changes; then only the permanent alarm shows it.
 * Later changes are selected by the time of the rows: a clock that was set back hides actions, other than revocations
 * of keys, for as long as it was behind. An approval that a newer version of a plugin ended is valid again.
 */
const BEGINNING = new Date(0).toISOString();

export interface JournalBefore {
  /** Checked before the journal is opened, because opening it creates missing files. */
  hadHostChain: boolean;
  /** Time of the last journal row that the vault image includes; later actions may be missing in the image. */
  since: string;
}

export function lookAtJournal(vault: OpenedVault, journalFolder: string): JournalBefore {
  const folder = chainFolder(journalFolder, 'host');
  const hadHostChain = existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.jsonl'));
  const head = readJournalHeads(vault).find(({ chain }) => chain === 'host');
  const since = head?.time ?? vault.read((db) => readMeta(db, 'acts_since')) ?? BEGINNING;
  return { hadHostChain, since };
}

/**
 * Replays, or has every key refused (`keysRefused`). Does nothing with a vault that is the newest or was judged before.
 * Answers false when it is in force but could not be saved, such as on a full disk; the next start does it again.
 */
export async function settleRollback(
  { vault, audit, log }: { vault: OpenedVault; audit: Audit; log: Logger },
  journalFolder: string,
  { hadHostChain, since }: JournalBefore,
): Promise<boolean> {
  if (!vault.rolledBack || keysRefused(vault) || replayed(vault)) return true;
  if (!hadHostChain || !(await audit.verify()).ok) {
    log.error('the journal cannot make the older vault good; every key is refused until it is confirmed');
    return vault.mutateAnyway((db) => putMeta(db, 'keys_refused_at', new Date().toISOString()));
  }
  return replayInto(vault, missingActs(await adminActs(journalFolder, REPLAYED_ACTS), since), log);
}

export function keysRefused(vault: OpenedVault): boolean {
  return vault.read((db) => readMeta(db, 'keys_refused_at')) !== null;
}

function replayed(vault: OpenedVault): boolean {
  return vault.read((db) => readMeta(db, 'acts_replayed_at')) !== null;
}

/** Throws SluiceError `conflict` when neither an older vault nor a lost store waits for it. */
export async function confirmVault(vault: OpenedVault, stores: Pick<WatchedStores, 'lost' | 'accept'>): Promise<void> {
  if (!vault.rolledBack && !keysRefused(vault) && stores.lost().length === 0)
    throw new SluiceError('conflict', 'There is nothing to confirm: the vault is the newest that was written.');
  await stores.accept();
  await vault.mutate((db) => {
    dropMeta(db, 'keys_refused_at');
    dropMeta(db, 'acts_replayed_at');
  });
  await vault.confirmRollback();
}

/**
 * Actions that were done, or cut off before their outcome was known, and that the older vault may lack; in the order in
 * which they began, each once. Revocations are final, so all of them are repeated. A user may have been reactivated
 * before the older vault was written, so of the others only later ones are repeated.
 */
function missingActs(rows: readonly AuditRow[], since: string): Act[] {
  const outcomes = new Map(rows.flatMap((row) => (row.status === undefined ? [] : [[row.requestId, row] as const])));
  const sinceMs = Date.parse(since);
  return rows.flatMap((row) => {
    if (row.status !== undefined) return [];
    const outcome = row.requestId === undefined ? undefined : outcomes.get(row.requestId);
    if (outcome?.status !== undefined && outcome.status >= 400) return [];
    // The vault may have been written between an act's first row and the act.
    const later = Date.parse(row.time) >= sinceMs || (outcome !== undefined && Date.parse(outcome.time) > sinceMs);
    return later || row.act === 'key.revoke' ? [{ row, known: outcome !== undefined }] : [];
  });
}

async function replayInto(vault: OpenedVault, acts: readonly Act[], log: Logger): Promise<boolean> {
  let people: string[] = [];
  const saved = await vault.mutateAnyway((db) => {
    people = replay(db, acts);
    // Once: what is done in this vault from now on is in it, and a password that is set now must stay.
    putMeta(db, 'acts_replayed_at', new Date().toISOString());
    dropMeta(db, 'acts_since');
    // The journal here is that of another PC: what was revoked on the backup's own is not in it.
    if (readMeta(db, 'journal_incomplete') !== null) putMeta(db, 'keys_refused_at', new Date().toISOString());
    dropMeta(db, 'journal_incomplete');
  });
  log.warn('what was taken away since was replayed from the journal into the older vault', {
    acts: acts.length,
    since: acts[0]?.row.time ?? null,
  });
  // Not under a name that ends in "password": the log hides those.
  if (people.length > 0) log.warn('these users need a new password: theirs was changed after the backup', { people });
  return saved;
}
