/**
 * Begins runs without a request: the `Trigger` that the runtime gives to a trigger node
 * (docs/spec/pipelines.md#triggers: such a run has the pipeline's grants; one begun by a message has the sender's
 * rights as far as the grants allow).
 *
 * States: live → halted. Once halted, no run begins, not even for values that a subscription still delivers. Limits:
 * RUNS_PER_TRIGGER_MAX active runs, including those that wait for a turn of the event loop with time for them
 * (pace.ts); further ones wait at the message bus, or are refused to the node. Values of tags: tag-event-queue.ts.
 */
import { isTagPattern, type TagValue } from '#common/model/tag.ts';
import { missingScopes, scopeMask, scopeNames } from '#common/scopes.ts';
import { type LogLevel, type RunOrigin, ScopeMissingError, type Trigger } from '#sdk';
import type { MessageBus, Subscription } from '../capabilities/messages/bus.ts';
import type { Pace } from '../capabilities/pace.ts';
import { type Principal, received } from '../capabilities/principal.ts';
import { expectWithin } from '../capabilities/limits.ts';
import type { Tags } from '../capabilities/tags/contract.ts';
import { RUNS_PER_TRIGGER_MAX } from './limits.ts';
import { TagEventQueue } from './tag-event-queue.ts';

export interface TriggerParts {
  readonly project: string;
  readonly pipeline: string;
  readonly node: string;
  readonly grants: Principal;
  readonly bus: MessageBus;
  readonly pace: Pace;
  readonly tags: Tags;
  /** Begins a run from the trigger's node; `ended` is called once. False if the pipeline accepts no more. */
  run(payload: unknown, rights: Principal, cause: RunCause, ended: () => void): boolean;
  log(level: LogLevel, message: string): void;
}

/** `hops`: length of the chain of messages that led here. */
export interface RunCause {
  readonly hops: number;
  readonly origin: RunOrigin;
}

const TAG_READ = scopeMask(['tag:read']);

export class PipelineTrigger implements Trigger {
  active = 0;
  readonly #parts: TriggerParts;
  readonly #origin: RunOrigin;
  /** Of runs that no message began. */
  readonly #own: RunCause;
  readonly #subscriptions: Subscription[] = [];
  /** Payloads of accepted runs that wait for their turn. */
  readonly #taken: unknown[] = [];
  readonly #patterns: string[] = [];
  #ends: (() => void)[] = [];
  #halted = false;

  constructor(parts: TriggerParts) {
    this.#parts = parts;
    this.#origin = { trigger: parts.node };
    this.#own = { hops: 0, origin: this.#origin };
  }

  emit(payload: unknown): boolean {
    const { pace, grants } = this.#parts;
    if (this.#taken.length === 0 && pace.free) return pace.run(() => this.#begin(payload, grants, this.#own));
    if (this.#halted || this.active >= RUNS_PER_TRIGGER_MAX) return false;
    this.active += 1;
    this.#taken.push(payload);
    pace.later(this.#beginTaken);
    return true;
  }

  onMessages(channel: string): void {
    if (this.#halted) return;
    const { bus, project, pipeline, grants } = this.#parts;
    const subscription = bus.receive(project, channel, pipeline, ({ payload, sender, hops, origin }) =>
      this.#begin(payload, received(sender, grants), { hops, origin: { ...origin, ...this.#origin } }),
    );
    this.#subscriptions.push(subscription);
    this.#ends.push(() => this.#lost(subscription.end(), `messages on the channel "${channel}" were not run`));
  }

  onTags(patterns: readonly string[], listener: (value: TagValue) => void): void {
    if (this.#halted) return;
    const { tags, project, grants, pace } = this.#parts;
    const missing = missingScopes(TAG_READ, grants.scopes);
    if (missing !== 0) throw new ScopeMissingError(scopeNames(missing));
    expectWithin(grants.limits, 'tag:read', patterns);
    const queue = new TagEventQueue(
      pace,
      (value) => this.#tell(listener, value),
      (message) => this.log('warn', message),
    );
    this.#patterns.push(...patterns);
    const unwatch = tags.watch(project, patterns, (value) => queue.tell(value));
    this.#ends.push(unwatch, () => this.#lost(queue.end(), 'values of tags were not looked at'));
  }

  /** Tags that it requested by their full path and that do not exist; they may be created later. */
  missingTags(): string[] {
    const { tags, project } = this.#parts;
    return this.#patterns.filter((pattern) => !isTagPattern(pattern) && !tags.has(project, pattern));
  }

  log(level: LogLevel, message: string): void {
    this.#parts.log(level, message);
  }

  halt(): void {
    this.#halted = true;
    const ends = this.#ends;
    this.#ends = [];
    for (const end of ends) end();
    this.#parts.pace.forget(this.#beginTaken);
    const taken = this.#taken.splice(0).length;
    this.active -= taken;
    this.#lost(taken, 'runs that waited for their turn did not begin');
  }

  #begin(payload: unknown, rights: Principal, cause: RunCause): boolean {
    if (this.#halted || this.active >= RUNS_PER_TRIGGER_MAX) return false;
    this.active += 1;
    const begun = this.#parts.run(payload, rights, cause, () => this.#ended());
    if (!begun) this.active -= 1;
    return begun;
  }

  readonly #beginTaken = (): void => {
    const payload = this.#taken.shift();
    this.active -= 1;
    this.#begin(payload, this.#parts.grants, this.#own);
    if (this.#taken.length > 0) this.#parts.pace.later(this.#beginTaken);
  };

  #lost(count: number, what: string): void {
    if (count > 0) this.log('warn', `${count} ${what}: the pipeline was stopped`);
  }

  #ended(): void {
    this.active -= 1;
    for (const subscription of this.#subscriptions) subscription.ready();
  }

  #tell(listener: (value: TagValue) => void, value: TagValue): void {
    if (this.#halted) return;
    try {
      listener(value);
    } catch (error) {
      this.#parts.log('error', `a tag change was not taken: ${error instanceof Error ? error.message : 'unknown'}`);
    }
  }
}
