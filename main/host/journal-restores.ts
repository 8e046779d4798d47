import { randomUUID } from 'node:crypto';
import type { Logger } from '#common/node/log.ts';
import type { Audit } from '../contracts.ts';
import { COMMAND_LINE_USER } from '../people/setup-session.ts';
import type { OpenedVault } from '../vault/live-vault.ts';
import { dropMeta, readMeta } from '../vault/meta.ts';
import { restoreNotes } from '../vault/restore-notes.ts';

/** Writes the rows of restores into the journal of the restored folder, each once, at the first start after them. */
export async function journalRestores(vault: OpenedVault, audit: Pick<Audit, 'record'>, log: Logger): Promise<void> {
  const notes = vault.read(restoreNotes);
  const isFirst = vault.read((db) => readMeta(db, 'never_opened')) !== null;
  if (notes.length === 0 && !isFirst) return;
  const written = await recordAll(audit, notes).then(
    () => true,
    (error: unknown) => {
      log.warn('the rows of a restore could not be written; the next start tries again', { error });
      return false;
    },
  );
  await vault.mutate((db) => {
    dropMeta(db, 'never_opened');
    if (written) dropMeta(db, 'restores');
  });
}

async function recordAll(audit: Pick<Audit, 'record'>, notes: ReturnType<typeof restoreNotes>): Promise<void> {
  for (const { at, createdAt, journal, user = COMMAND_LINE_USER } of notes) {
    const detail = `backup of ${createdAt}, restored at ${at}; journal: ${journal}`;
    const row = { act: 'restore', target: 'backup', user, requestId: randomUUID(), detail };
    await audit.record(row);
    await audit.record({ ...row, status: 200 });
  }
}

export function recordFailedRestore(audit: Pick<Audit, 'record'>, user: string, log: Logger): void {
  const row = { act: 'restore', target: 'backup', user, requestId: randomUUID(), status: 500, code: 'internal' };
  audit.record(row).catch((error: unknown) => log.warn('the row of a failed restore could not be written', { error }));
}
