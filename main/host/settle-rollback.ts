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
 * later changes; then only the permanent alarm shows it. Later changes are selected by the time of the rows: if the
 * clock was set back, actions from that time are not detected, except revocations of keys. An approval that was
 * replaced by a newer version of a plugin is valid again.
 */
const BEGINNING = new Date(0).toISOString();
/** An action without a known outcome may have changed the vault this long after its first row. */
const UNKNOWN_ACT_MS = 10_000;

export interface JournalBefore {
  /** Checked before the journal is opened, because opening it creates missing files. */
  hadHostChain: boolean;
  /** All actions that were completed until then are in the vault image; later ones may be missing. */
  since: string;
}

export function lookAtJournal(vault: OpenedVault, journalFolder: string): JournalBefore {
  const folder = chainFolder(journalFolder, 'host');
  const hadHostChain = existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.jsonl'));
  const head = readJournalHeads(vault).find(({ chain }) => chain === 'host');
  // The heads in a backup are up to 10 s older than the last change of its vault, and that change up to an hour.
  const known = [head?.time, vault.read((db) => readMeta(db, 'acts_since'))];
  const since = Math.max(...known.map((time) => Date.parse(time ?? BEGINNING)));
  return { hadHostChain, since: new Date(since).toISOString() };
}

/**
 * Replays the journal, or has every key refused (`keysRefused`). Does nothing with the newest vault or one that was
 * already handled. Returns false if the result is in effect but could not be saved, such as on a full disk; the next
 * start repeats it.
 */
export async function settleRollback(
  { vault, audit, log }: { vault: OpenedVault; audit: Audit; log: Logger },
  journalFolder: string,
  { hadHostChain, since }: JournalBefore,
): Promise<boolean> {
  if (!vault.rolledBack || keysRefused(vault) || replayed(vault)) return true;
  if (!hadHostChain || !(await audit.verify()).ok) {
    log.error('the journal cannot correct the older vault; every key is refused until it is confirmed');
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

/** Throws SluiceError `conflict` if neither an older vault nor a lost store waits for confirmation. */
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
 * Actions that were completed, or interrupted before their outcome was known, and that the older vault may lack; in the
 * order in which they began, without duplicates. Revocations are final, so all of them are repeated. A user may have
 * been reactivated before the older vault was written, so of the others only later ones are repeated.
 */
function missingActs(rows: readonly AuditRow[], since: string): Act[] {
  const outcomes = new Map(rows.flatMap((row) => (row.status === undefined ? [] : [[row.requestId, row] as const])));
  const sinceMs = Date.parse(since);
  return rows.flatMap((row) => {
    if (row.status !== undefined) return [];
    const outcome = row.requestId === undefined ? undefined : outcomes.get(row.requestId);
    if (outcome?.status !== undefined && outcome.status >= 400) return [];
    // The vault may have been written between the first row of an action and the action.
    const endMs = outcome === undefined ? Date.parse(row.time) + UNKNOWN_ACT_MS : Date.parse(outcome.time);
    const later = Date.parse(row.time) >= sinceMs || endMs > sinceMs;
    return later || row.act === 'key.revoke' ? [{ row, known: outcome !== undefined }] : [];
  });
}

async function replayInto(vault: OpenedVault, acts: readonly Act[], log: Logger): Promise<boolean> {
  let people: string[] = [];
  const saved = await vault.mutateAnyway((db) => {
    people = replay(db, acts);
    // Once: later changes to this vault are contained in it, and a password that is set now must be kept.
    putMeta(db, 'acts_replayed_at', new Date().toISOString());
    dropMeta(db, 'acts_since');
    // The journal here is that of another PC: it does not contain the revocations of the PC of the backup.
    if (readMeta(db, 'journal_incomplete') !== null) putMeta(db, 'keys_refused_at', new Date().toISOString());
    dropMeta(db, 'journal_incomplete');
  });
  log.warn('revocations and removed rights were replayed from the journal into the older vault', {
    acts: acts.length,
    since: acts[0]?.row.time ?? null,
  });
  // Not under a name that ends in "password": the log masks those.
  if (people.length > 0) log.warn('these users need a new password: theirs was changed after the backup', { people });
  return saved;
}
