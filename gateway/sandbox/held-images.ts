import { HALF } from '../net/shares.ts';
import type { QueueLimits } from './limits.ts';

/**
 * Counts the runs that wait for capability calls, in all pools of a sandbox, and the bytes of their images. One project
 * gets at most half of both, however much is free.
 *
 * Limits: `suspendedRuns`, `suspendedBytes`; one entry for each project with a waiting run.
 */
export class HeldImages {
  readonly #limits: QueueLimits;
  readonly #projects = new Map<string, Held>();
  readonly #all: Held = { runs: 0, bytes: 0 };

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** `project` null: none; only the total is limited. */
  hasRoom(project: string | null, bytes: number): boolean {
    if (!this.#fits(this.#all, bytes, 1)) return false;
    return project === null || this.#fits(this.#projects.get(project) ?? { runs: 0, bytes: 0 }, bytes, HALF);
  }

  /** One more run with so many bytes. */
  add(project: string | null, bytes: number): void {
    change(this.#all, 1, bytes);
    if (project === null) return;
    const own = this.#projects.get(project) ?? { runs: 0, bytes: 0 };
    change(own, 1, bytes);
    this.#projects.set(project, own);
  }

  remove(project: string | null, bytes: number): void {
    change(this.#all, -1, -bytes);
    const own = project === null ? undefined : this.#projects.get(project);
    if (project === null || own === undefined) return;
    change(own, -1, -bytes);
    if (own.runs === 0) this.#projects.delete(project);
  }

  #fits(held: Held, bytes: number, part: number): boolean {
    const { suspendedRuns, suspendedBytes } = this.#limits;
    return held.runs < suspendedRuns * part && held.bytes + bytes <= suspendedBytes * part;
  }
}

interface Held {
  runs: number;
  bytes: number;
}

function change(held: Held, runs: number, bytes: number): void {
  held.runs += runs;
  held.bytes += bytes;
}
