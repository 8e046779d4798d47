import { existsSync, readdirSync } from 'node:fs';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { AuditRow } from '#common/model/audit.ts';
import { chainFolder } from '#common/node/journal/format.ts';
import type { Logger } from '#common/node/log.ts';
import { adminActsSince } from '../audit/admin-acts.ts';
import type { Audit } from '../contracts.ts';
import { ensureTables, setActive } from '../people/tables.ts';
import { readJournalHeads } from '../vault/journal-heads.ts';
import type { OpenedVault } from '../vault/live-vault.ts';
import { dropMeta, putMeta, readMeta } from '../vault/meta.ts';

/**
 * An older vault was put back (behaviour 8): a key that was revoked since is valid in it again, a person who was
 * deactivated since may log in again. The journal knows both; they are replayed before anything is served. Where the
 * journal cannot be trusted to know (gone, cut, changed), every key is refused until an Administrator confirms.
 *
 * Known weakness: who puts back the whole data folder, journal and anchors included, puts back a journal that knows
 * nothing of what came after; then only the standing alarm tells.
 */
const ACTS = ['key.revoke', 'user.deactivate', 'user.reactivate'] as const;
const BEGINNING = new Date(0).toISOString();
const REPLAYED_BY = 'replayed from the journal';

export interface JournalBefore {
  /** Looked at before the journal is opened: opening makes what is missing. */
  hadHostChain: boolean;
  /** When the image last knew of the journal: acts from then on may be missing in it. */
  since: string;
}

export function lookAtJournal(vault: OpenedVault, journalFolder: string): JournalBefore {
  const folder = chainFolder(journalFolder, 'host');
  const hadHostChain = existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.jsonl'));
  const head = readJournalHeads(vault).find(({ chain }) => chain === 'host');
  return { hadHostChain, since: head?.time ?? BEGINNING };
}

/** Replays, or has every key refused (`keysRefused`). Does nothing with a vault that is the newest or was judged before. */
export async function settleRollback(
  { vault, audit, log }: { vault: OpenedVault; audit: Audit; log: Logger },
  journalFolder: string,
  { hadHostChain, since }: JournalBefore,
): Promise<void> {
  if (!vault.rolledBack || keysRefused(vault)) return;
  if (!hadHostChain || !(await audit.verify()).ok) {
    log.error('the journal cannot make the older vault good; every key is refused until it is confirmed');
    await vault.mutate((db) => putMeta(db, 'keys_refused_at', new Date().toISOString()));
    return;
  }
  // A revocation is for ever, so all of them are replayed; a person may have been let in again before the copy was made.
  const acts = done(await adminActsSince(journalFolder, BEGINNING, ACTS));
  const missing = acts.filter((row) => row.act === 'key.revoke' || Date.parse(row.time) >= Date.parse(since));
  await replay(vault, missing, log);
}

export function keysRefused(vault: OpenedVault): boolean {
  return vault.read((db) => readMeta(db, 'keys_refused_at')) !== null;
}

/** Throws SluiceError `conflict` when no older vault waits for it. */
export async function confirmVault(vault: OpenedVault): Promise<void> {
  if (!vault.rolledBack && !keysRefused(vault))
    throw new SluiceError('conflict', 'There is nothing to confirm: the vault is the newest that was written.');
  await vault.mutate((db) => dropMeta(db, 'keys_refused_at'));
  await vault.confirmRollback();
}

/**
 * Acts that were done, or cut off before their outcome was known; oldest first, each once. What lets somebody in
 * counts only when its outcome is known.
 */
function done(rows: readonly AuditRow[]): AuditRow[] {
  const withStatus = (fits: (status: number) => boolean) =>
    new Set(rows.filter(({ status }) => status !== undefined && fits(status)).map((row) => row.requestId));
  const failed = withStatus((status) => status >= 400);
  const succeeded = withStatus((status) => status < 400);
  return rows.filter(({ status, act, requestId }) => {
    if (status !== undefined || (requestId !== undefined && failed.has(requestId))) return false;
    return act !== 'user.reactivate' || succeeded.has(requestId);
  });
}

async function replay(vault: OpenedVault, acts: readonly AuditRow[], log: Logger): Promise<void> {
  const count = await vault.mutate((db) => {
    ensureTables(db);
    for (const { act, target, keyId, time } of acts) {
      if (act === 'key.revoke') {
        const update = 'UPDATE keys SET revoked_at = ?, revoked_by = ? WHERE id = ? AND revoked_at IS NULL';
        db.run(update, [time, REPLAYED_BY, keyId ?? target ?? '']);
      } else if (target !== undefined) {
        setActive(db, target, act === 'user.reactivate');
      }
    }
    return acts.length;
  });
  log.warn('revocations and deactivations were replayed from the journal into the older vault', {
    acts: count,
    since: acts[0]?.time ?? null,
  });
}
