import type { AuditRow } from '#common/model/audit.ts';
import { inOrder, type Folding } from '#api/journal-feed.ts';

/** The journal contains an action twice: a row before it, which has no status, and one with its outcome. */
export function isAttempt(row: AuditRow): boolean {
  return row.act !== undefined && row.status === undefined;
}

/** Calls with a key and writes are recorded twice too: before they are performed, and with their outcome. */
const isFirstOfTwo = (row: AuditRow) => row.type === 'use' || row.type === 'write' || isAttempt(row);

/** The common key of the two rows of one action or call; null if there are no two rows. */
function pairOf(row: AuditRow): string | null {
  const { requestId, act, type, write } = row;
  if (write !== undefined) return `write ${write}`;
  if (requestId === undefined) return null;
  if (act !== undefined) return `${requestId} ${act}`;
  return type === 'use' || type === 'outcome' ? requestId : null;
}

/**
 * Removes the first row of each action and call with a known outcome, so that each has one line. A remaining one is an
 * action or a call whose outcome is not known (yet).
 */
export class OneLineEach implements Folding {
  readonly #ended = new Set<string>();
  readonly #open = new Set<string>();

  add(rows: readonly AuditRow[]): AuditRow[] {
    for (const row of rows) if (!isFirstOfTwo(row)) this.#end(row);
    return rows.filter((row) => !this.#isKnownFirst(row));
  }

  addNewer(rows: readonly AuditRow[], shown: readonly AuditRow[]): AuditRow[] {
    const settled = new Set<string>();
    for (const row of rows) {
      const pair = isFirstOfTwo(row) ? null : pairOf(row);
      if (pair !== null && this.#open.delete(pair)) settled.add(pair);
    }
    const added = this.add(rows);
    const rest =
      settled.size === 0 ? shown : shown.filter((row) => !isFirstOfTwo(row) || !settled.has(pairOf(row) ?? ''));
    const since = rows.at(-1)?.time ?? '';
    // Only the newest may have to be sorted in between.
    const split = rest.findIndex(({ time }) => time < since);
    const newest = split === -1 ? rest : rest.slice(0, split);
    return inOrder([...added, ...newest]).concat(split === -1 ? [] : rest.slice(split));
  }

  #end(row: AuditRow): void {
    const pair = pairOf(row);
    if (pair !== null) this.#ended.add(pair);
  }

  #isKnownFirst(row: AuditRow): boolean {
    const pair = isFirstOfTwo(row) ? pairOf(row) : null;
    if (pair === null) return false;
    if (this.#ended.delete(pair)) return true;
    this.#open.add(pair);
    return false;
  }
}
