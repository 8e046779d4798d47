/**
 * What begins runs without a request: the side of the runtime that a trigger node is given (behaviour 5: such a run has
 * the pipeline's grants; one begun by a message the sender's rights as far as the grants reach).
 *
 * States: live → halted. Once halted nothing begins any more, also not what a subscription still tells.
 * Limits: RUNS_PER_TRIGGER_MAX runs under way; what is beyond waits at the message bus, or is refused to the node.
 */
import type { TagValue } from '#common/model/tag.ts';
import { missingScopes, scopeMask, scopeNames } from '#common/scopes.ts';
import { type LogLevel, ScopeMissingError, type Trigger } from '#sdk';
import type { MessageBus, Subscription } from '../capabilities/messages/bus.ts';
import { narrowed, type Principal } from '../capabilities/principal.ts';
import type { Tags } from '../capabilities/tags/contract.ts';
import { RUNS_PER_TRIGGER_MAX } from './limits.ts';

export interface TriggerParts {
  readonly project: string;
  readonly pipeline: string;
  readonly grants: Principal;
  readonly bus: MessageBus;
  readonly tags: Tags;
  /** Begins a run from the trigger's node; `ended` is told once. False when the pipeline takes no more. */
  run(payload: unknown, rights: Principal, hops: number, ended: () => void): boolean;
  log(level: LogLevel, message: string): void;
}

const TAG_READ = scopeMask(['tag:read']);

export class PipelineTrigger implements Trigger {
  active = 0;
  readonly #parts: TriggerParts;
  readonly #subscriptions: Subscription[] = [];
  #ends: (() => void)[] = [];
  #halted = false;

  constructor(parts: TriggerParts) {
    this.#parts = parts;
  }

  emit(payload: unknown): boolean {
    return this.#begin(payload, this.#parts.grants, 0);
  }

  onMessages(channel: string): void {
    if (this.#halted) return;
    const { bus, project, pipeline, grants } = this.#parts;
    const subscription = bus.receive(project, channel, pipeline, ({ payload, sender, hops }) =>
      this.#begin(payload, narrowed(sender, grants.scopes), hops),
    );
    this.#subscriptions.push(subscription);
    this.#ends.push(() => this.#endMessages(subscription, channel));
  }

  onTags(patterns: readonly string[], listener: (value: TagValue) => void): void {
    if (this.#halted) return;
    const { tags, project, grants } = this.#parts;
    const missing = missingScopes(TAG_READ, grants.scopes);
    if (missing !== 0) throw new ScopeMissingError(scopeNames(missing));
    this.#ends.push(tags.watch(project, patterns, (value) => this.#tell(listener, value)));
  }

  log(level: LogLevel, message: string): void {
    this.#parts.log(level, message);
  }

  halt(): void {
    this.#halted = true;
    const ends = this.#ends;
    this.#ends = [];
    for (const end of ends) end();
  }

  #begin(payload: unknown, rights: Principal, hops: number): boolean {
    if (this.#halted || this.active >= RUNS_PER_TRIGGER_MAX) return false;
    this.active += 1;
    const begun = this.#parts.run(payload, rights, hops, () => this.#ended());
    if (!begun) this.active -= 1;
    return begun;
  }

  #endMessages(subscription: Subscription, channel: string): void {
    const lost = subscription.end();
    if (lost > 0)
      this.log('warn', `${lost} messages on the channel "${channel}" were not run: the pipeline was stopped`);
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
