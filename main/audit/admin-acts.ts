import type { AuditRow } from '#common/model/audit.ts';
import { chainFolder } from '#common/node/journal/format.ts';
import { chainRows } from '#common/node/journal/read.ts';

export const REPLAYED_ACTS = ['key.revoke', 'user.deactivate'] as const;

/**
 * Revocations and deactivations in the host's chain after a time, oldest first (behaviour 8: an older vault image is
 * made good from them). An act has a row before it was tried, without `status`, and one with its outcome; both are
 * given, so that one that was cut off between them counts too. `time` is RFC 3339; `folder` is `<data>/journal`.
 */
export async function adminActsSince(
  folder: string,
  time: string,
  acts: readonly string[] = REPLAYED_ACTS,
): Promise<AuditRow[]> {
  const since = Date.parse(time);
  const found: AuditRow[] = [];
  const needles = acts.map((act) => JSON.stringify(act));
  const wanted = (line: string) => needles.some((needle) => line.includes(needle));
  for await (const row of chainRows(chainFolder(folder, 'host'), wanted)) {
    if (row.type === 'admin' && row.act !== undefined && acts.includes(row.act) && Date.parse(row.time) >= since)
      found.push(row);
  }
  return found.toSorted((a, b) => a.time.localeCompare(b.time));
}
