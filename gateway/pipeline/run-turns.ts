import { TurnLane } from '../net/turn-lane.ts';
import { RUN_MS_NOTED_MIN, RUN_MS_PER_PROJECT_MAX, RUN_MS_PER_TURN_MAX } from './limits.ts';

/**
 * Divides the event loop among the runs of all projects. When the runs of a project have used RUN_MS_PER_PROJECT_MAX of
 * a turn of the event loop, its further runs wait for later turns, which spend RUN_MS_PER_TURN_MAX on waiting runs,
 * projects in turn. A single node call can take longer than that; work of other projects follows it.
 *
 * Limits: waiting runs are active runs and count in their callers' shares.
 */
export class RunTurns {
  readonly #spentMs = new Map<string, number>();
  readonly #lane = new TurnLane(RUN_MS_PER_TURN_MAX, {
    turnBegins: () => this.#begin(),
    isReached: () => this.#promisedMs >= RUN_MS_PER_TURN_MAX,
  });
  #promisedMs = 0;

  /** Whether a run of the project may use the event loop now. */
  has(project: string): boolean {
    if (this.#spentMs.size === 0) return true;
    return (this.#spentMs.get(project) ?? 0) < RUN_MS_PER_PROJECT_MAX && !this.#lane.has(project);
  }

  /** Records how long a run of the project has just used the event loop. */
  spent(project: string, ms: number): void {
    if (ms < RUN_MS_NOTED_MIN) return;
    this.#spentMs.set(project, (this.#spentMs.get(project) ?? 0) + ms);
    this.#lane.turnLater();
  }

  later(project: string, run: () => void): void {
    this.#lane.add(project, () => {
      run();
      return true;
    });
  }

  /** For a node that continues after a promise: counted as if it used the project's whole share. */
  next(project: string): Promise<void> {
    return new Promise((resolve) => {
      this.later(project, () => {
        this.#promisedMs += RUN_MS_PER_PROJECT_MAX;
        resolve();
      });
    });
  }

  #begin(): void {
    this.#spentMs.clear();
    this.#promisedMs = 0;
  }
}
