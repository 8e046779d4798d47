import { openRecord, type Trusted } from '#common/node/fleet/envelope.ts';
import type { Member } from './hub-state.ts';

/** The keys in the newest assignment of each member, which is opened once per epoch. */
export class AssignedKeys {
  readonly #trusted: Trusted;
  readonly #known = new Map<string, { epoch: number; ids: ReadonlySet<string> }>();

  constructor(keys: Trusted) {
    this.#trusted = keys;
  }

  of({ edge, epoch, assignment }: Member): ReadonlySet<string> {
    const known = this.#known.get(edge);
    if (known?.epoch === epoch) return known.ids;
    const keys =
      assignment === null ? [] : openRecord('assignment', Buffer.from(assignment, 'base64url'), this.#trusted).keys;
    const ids = new Set(keys.map(({ id }) => id));
    this.#known.set(edge, { epoch, ids });
    return ids;
  }

  forget(edge: string): void {
    this.#known.delete(edge);
  }
}
