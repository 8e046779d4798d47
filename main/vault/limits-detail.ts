import { type KeyLimits, NOTHING_ALLOWED, readLimits } from '#common/model/key-limits.ts';

/** A change of limits as the journal has it: whole, so that it can be repeated in an older vault (main/host/replay.ts). */
export function limitsDetail(before: KeyLimits, after: KeyLimits): string {
  return JSON.stringify({ before, after });
}

/** The new limits of a row. A row that does not say them allows nothing. */
export function readLimitsDetail(detail: string | undefined): KeyLimits {
  try {
    const { after }: { after?: unknown } = JSON.parse(detail ?? '');
    return readLimits(after);
  } catch {
    return NOTHING_ALLOWED;
  }
}
