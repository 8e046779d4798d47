import type { RecordOf } from '#common/fleet/records.ts';
import type { KeyLimits } from '#common/model/key-limits.ts';

/** Limits in a form that can be compared. */
export function limitsText(limits: KeyLimits): string {
  const entries = Object.entries(limits).filter(([, value]) => value !== undefined);
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The keys in the newest assignment of each edge, with their limits there. */
export class AssignedKeys {
  readonly #edges = new Map<string, ReadonlyMap<string, string>>();

  set(edge: string, { keys }: Pick<RecordOf<'assignment'>, 'keys'>): void {
    this.#edges.set(edge, new Map(keys.map(({ id, limits }) => [id, limitsText(limits)])));
  }

  has(edge: string, keyId: string): boolean {
    return this.#edges.get(edge)?.has(keyId) === true;
  }

  /** Whether an edge was assigned the key with other limits. */
  differs(keyId: string, limits: string): boolean {
    return [...this.#edges.values()].some((keys) => (keys.get(keyId) ?? limits) !== limits);
  }

  forget(edge: string): void {
    this.#edges.delete(edge);
  }
}
