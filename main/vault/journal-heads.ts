import type { Database } from 'sql.js';
import type { ChainHead, ChainName } from '#common/model/audit.ts';
import type { Vault } from '../contracts.ts';
import { all, text } from './rows.ts';

/**
 * The chain heads of the journal as last recorded by the vault: a journal whose tail was removed since does not match.
 */
export function readJournalHeads(vault: Pick<Vault, 'read'>): ChainHead[] {
  return vault.read(headsIn);
}

export function headsIn(db: Database): ChainHead[] {
  return all(db, 'SELECT chain, seq, hash, time FROM journal_heads ORDER BY chain').map((row) => ({
    chain: chainName(text(row, 'chain')),
    seq: Number(row['seq']),
    hash: text(row, 'hash'),
    time: text(row, 'time'),
  }));
}

/** True when a head is new. */
export function putHeads(db: Database, heads: readonly ChainHead[]): boolean {
  const known = new Map(headsIn(db).map((head) => [head.chain, head]));
  const changed = heads.filter(
    ({ chain, seq, hash }) => known.get(chain)?.seq !== seq || known.get(chain)?.hash !== hash,
  );
  for (const { chain, seq, hash, time } of changed) {
    db.run('INSERT OR REPLACE INTO journal_heads (chain, seq, hash, time) VALUES (?, ?, ?, ?)', [
      chain,
      seq,
      hash,
      time,
    ]);
  }
  return changed.length > 0;
}

function chainName(name: string): ChainName {
  if (name === 'gateway' || name === 'host') return name;
  throw new Error('the vault names a journal chain that does not exist');
}
