import type { OutboxSettings } from './contract.ts';
import { PROJECT_SHARE, TARGET_SHARE } from './limits.ts';

/** The owner of an event. */
export interface EventOwner {
  readonly project: string;
  /** The target's number. */
  readonly target: number;
}

type Limits = Pick<OutboxSettings, 'bytesMax' | 'eventsMax'>;

/**
 * Stored events, or those about to be stored, and the number of open lines; `lines` above 0: a running node stores
 * there.
 */
class Use {
  events = 0;
  bytes = 0;
  lines = 0;

  get isNone(): boolean {
    return this.events <= 0 && this.lines <= 0;
  }
}

class ProjectUse extends Use {
  readonly targets = new Map<number, Use>();
}

/**
 * The fair shares of the buffer: while other projects store calls too, a project gets PROJECT_SHARE of it; while the
 * project has other targets, one target gets TARGET_SHARE of that. A single project has all of it.
 */
export class OutboxShares {
  readonly #projects = new Map<string, ProjectUse>();

  /** Adds an event or, with negative figures, removes it. */
  change(owner: EventOwner, events: number, bytes: number): void {
    this.#update(owner, (use) => {
      use.events += events;
      use.bytes += bytes;
    });
  }

  /** A node opened (1) or closed (-1) its line to the target. */
  lines(owner: EventOwner, by: 1 | -1): void {
    this.#update(owner, (use) => (use.lines += by));
  }

  /** Whether other projects store calls too. */
  hasOthers(project: string): boolean {
    return this.#projects.size > (this.#projects.has(project) ? 1 : 0);
  }

  /** Why one more event of this size does not fit the shares; null: it does. */
  refusal(owner: EventOwner, origin: string, bytes: number, limits: Limits): string | null {
    const { project, target, share } = this.#sharesOf(owner);
    const ofProject = beyond(project, bytes, limits, share.project);
    if (ofProject !== null)
      return `the project "${owner.project}" holds ${ofProject} of the outbox, its share while other projects store calls`;
    const ofTarget = beyond(target, bytes, limits, share.target);
    if (ofTarget === null) return null;
    return `${origin} holds ${ofTarget} of the outbox, its share while the project "${owner.project}" stores calls to other targets`;
  }

  /** Whether its project, or the target within it, uses nearly all of its share. */
  isFull(owner: EventOwner, limits: Limits): boolean {
    const { project, target, share } = this.#sharesOf(owner);
    const filled = ({ events, bytes }: Use, part: number) =>
      Math.max(events / (limits.eventsMax * part), bytes / (limits.bytesMax * part));
    return Math.max(filled(project, share.project), filled(target, share.target)) >= 0.9;
  }

  #sharesOf({ project: name, target: id }: EventOwner) {
    const project = this.#projects.get(name) ?? new ProjectUse();
    const target = project.targets.get(id) ?? new Use();
    const ofProject = this.hasOthers(name) ? PROJECT_SHARE : 1;
    const hasOtherTargets = project.targets.size > (project.targets.has(id) ? 1 : 0);
    return { project, target, share: { project: ofProject, target: ofProject * (hasOtherTargets ? TARGET_SHARE : 1) } };
  }

  #update({ project: name, target: id }: EventOwner, change: (use: Use) => void): void {
    const project = this.#projects.get(name) ?? new ProjectUse();
    const target = project.targets.get(id) ?? new Use();
    change(project);
    change(target);
    this.#projects.set(name, project);
    project.targets.set(id, target);
    if (target.isNone) project.targets.delete(id);
    if (project.isNone) this.#projects.delete(name);
  }
}

/** Null if it fits, and for a share that is the whole buffer: then the limit of the buffer applies. */
function beyond({ events, bytes }: Use, more: number, { eventsMax, bytesMax }: Limits, part: number): string | null {
  if (part === 1) return null;
  if (events + 1 > eventsMax * part) return `${events} of ${Math.floor(eventsMax * part)} events`;
  if (bytes + more > bytesMax * part) return `${bytes} of ${Math.floor(bytesMax * part)} bytes`;
  return null;
}
