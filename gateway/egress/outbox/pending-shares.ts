import { PENDING_BYTES_MAX, PENDING_BYTES_PER_PROJECT_MAX, PENDING_EVENTS_MAX, PROJECT_SHARE } from './limits.ts';

/** Events of the main thread with waiting nodes, and bytes of those that are not stored yet. */
export class PendingShares {
  events = 0;
  bytes = 0;
  readonly #projects = new Map<string, { events: number; bytes: number }>();

  /** Why one more is refused; null: it is accepted. `alone`: no other project stores calls. */
  refusal(project: string, bytes: number, alone: () => boolean): string | null {
    if (this.events >= PENDING_EVENTS_MAX || this.bytes + bytes > PENDING_BYTES_MAX)
      return 'too many calls wait for the outbox';
    const own = this.#projects.get(project);
    if (own === undefined) return null;
    const fits = own.events < PENDING_EVENTS_MAX * PROJECT_SHARE && own.bytes + bytes <= PENDING_BYTES_PER_PROJECT_MAX;
    return fits || alone() ? null : `too many calls of the project "${project}" wait for the outbox`;
  }

  change(project: string, events: number, bytes: number): void {
    const own = this.#projects.get(project) ?? { events: 0, bytes: 0 };
    own.events += events;
    own.bytes += bytes;
    this.events += events;
    this.bytes += bytes;
    if (own.events > 0) this.#projects.set(project, own);
    else this.#projects.delete(project);
  }
}
