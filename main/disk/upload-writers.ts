import type { DiskWriter } from '#common/control/messages.ts';

/** Half-life of stored amounts in the ranking, as in the gateway (gateway/capabilities/disk-meter.ts). */
const RECENT_MS = 5 * 60_000;
const NAMED_MAX = 3;
const NAMED_BYTES_MIN = 1024 ** 2;
const PROJECTS_MAX = 100;

/** The projects into which users have stored most recently, for the alarms of the disk. Limit: `PROJECTS_MAX`. */
export class UploadWriters {
  readonly #recent = new Map<string, { bytes: number; atMs: number }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  note(project: string, bytes: number): void {
    this.#recent.set(project, { bytes: this.#bytesOf(project) + bytes, atMs: this.#now() });
    if (this.#recent.size <= PROJECTS_MAX) return;
    const [least] = this.#ranked().toReversed();
    if (least !== undefined) this.#recent.delete(least.project);
  }

  /** The largest first. */
  list(): DiskWriter[] {
    const large = this.#ranked().filter(({ bytes }) => bytes >= NAMED_BYTES_MIN);
    return large.slice(0, NAMED_MAX).map(({ project }) => ({ project, pipeline: null, kind: 'uploads' }));
  }

  #ranked(): { project: string; bytes: number }[] {
    const all = [...this.#recent.keys()].map((project) => ({ project, bytes: this.#bytesOf(project) }));
    return all.toSorted((a, b) => b.bytes - a.bytes);
  }

  #bytesOf(project: string): number {
    const known = this.#recent.get(project);
    return known === undefined ? 0 : known.bytes * 0.5 ** ((this.#now() - known.atMs) / RECENT_MS);
  }
}
