import { sourceNetwork } from '#common/cidr.ts';
import { NodeError } from '#sdk';
import { CALL_SHARES, CALLS_MAX } from './direct-limits.ts';

/** The holders of shares in one direct call. */
export interface CallOwner {
  readonly project: string;
  /** The ID of the key, or the address of a caller without one, whose network is the holder; null: a trigger. */
  readonly caller: string | null;
  /** Scheme, host and port. */
  readonly origin: string;
}

/**
 * Direct calls in progress, with a share for each caller, project and target. Below half of CALLS_MAX there is no other
 * limit. Above it, CALL_SHARES applies, so that the rest is left to holders with few calls.
 */
export class CallShares {
  #total = 0;
  readonly #byCaller = new Counts();
  readonly #byTarget = new Counts();
  readonly #byProject = new Counts();
  readonly #onRefusal: (origin: string) => void;

  /** `onRefusal` is called with the target of each call that is refused. */
  constructor(onRefusal: (origin: string) => void = () => undefined) {
    this.#onRefusal = onRefusal;
  }

  /** Counts the call until the returned function is called, once. Throws NodeError `target_overloaded`. */
  enter(owner: CallOwner): () => void {
    const { project, origin } = owner;
    // Callers without a key share by network, because a client can easily change its address.
    const caller = `${project} ${sourceNetwork(owner.caller ?? '')}`;
    const target = `${project} ${origin}`;
    this.#refuse(owner, caller, target);
    this.#change(1, caller, target, project);
    return () => this.#change(-1, caller, target, project);
  }

  #refuse({ project, origin }: CallOwner, caller: string, target: string): void {
    const share = CALL_SHARES.find(({ from }) => this.#total >= from);
    if (share === undefined) return;
    const text =
      beyond(this.#byCaller.of(caller), share.perCaller, 'of this caller') ??
      beyond(this.#byTarget.of(target), share.perTarget, `to ${origin}`) ??
      beyond(this.#byProject.of(project), share.perProject, 'of this project') ??
      beyond(this.#total, CALLS_MAX, 'in all');
    if (text === null) return;
    this.#onRefusal(origin);
    throw new NodeError('target_overloaded', text);
  }

  #change(by: 1 | -1, caller: string, target: string, project: string): void {
    this.#total += by;
    this.#byCaller.change(caller, by);
    this.#byTarget.change(target, by);
    this.#byProject.change(project, by);
  }
}

function beyond(count: number, most: number, whose: string): string | null {
  if (count < most) return null;
  return `${count} calls ${whose} that are not stored are under way; expected fewer than ${most} while others call out too`;
}

class Counts {
  readonly #counts = new Map<string, number>();

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  change(name: string, by: number): void {
    const count = this.of(name) + by;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}
