import type { AuditRow } from '#common/model/audit.ts';
import { chainFolder } from '#common/node/journal/format.ts';
import { chainRows } from '#common/node/journal/read.ts';

/**
 * Rows of such actions in the host's chain, in the order in which they were written: times may go back with the
 * machine's clock. An action has a row before it is tried, without `status`, and one with its outcome; both are
 * returned, so that an action that was cut off in between counts too. `folder` is `<data>/journal`.
 */
export async function adminActs(folder: string, acts: readonly string[]): Promise<AuditRow[]> {
  const found: AuditRow[] = [];
  const needles = acts.map((act) => JSON.stringify(act));
  const wanted = (line: string) => needles.some((needle) => line.includes(needle));
  for await (const row of chainRows(chainFolder(folder, 'host'), wanted)) {
    if (row.type === 'admin' && row.act !== undefined && acts.includes(row.act)) found.push(row);
  }
  return found;
}
