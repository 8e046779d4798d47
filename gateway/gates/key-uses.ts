import type { SightingKind } from '#common/model/records.ts';

/** The uses of one key in this gateway. */
export class KeyUses {
  /** The first address, and the calls from it; null: never used. */
  first: string | null = null;
  calls = 0;
  /** It was also used from another address. */
  several = false;
  /** Whether the first address was compared with the networks of this PC. */
  isFirstNear: boolean | null = null;
  honeyMs = -Infinity;
  reported: readonly SightingKind[] = [];
}
