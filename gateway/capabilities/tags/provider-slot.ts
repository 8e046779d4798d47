import type { TagDefinition } from '#common/model/tag.ts';
import type { Logger } from '#common/node/log.ts';
import { NodeError } from '#sdk';
import type { Sample, TagProvider, TagSink } from './contract.ts';
import type { SendBefore } from './send-before.ts';

/** Receives the samples of a slot while it is open. */
export interface SlotTarget {
  sample(slot: ProviderSlot, path: string, sample: Sample): void;
  lost(slot: ProviderSlot, paths: Iterable<string>, reason: string): void;
}

/** A provider, or the reason why there is none. */
export type Opened = TagProvider | { readonly missing: string };

/**
 * The provider of a project's connection, or of all tags without a connection. It protects the project from faulty
 * providers: errors are logged and the tags read bad, and reports after its end are dropped.
 */
export class ProviderSlot {
  /** The settings from which it was created, as text; if they change, it must be created again. */
  readonly madeOf: string;
  readonly #log: Logger;
  readonly #target: SlotTarget;
  readonly #provider: TagProvider | null;
  readonly #missing: string;
  #open = true;

  constructor(madeOf: string, target: SlotTarget, log: Logger, open: (sink: TagSink) => Opened) {
    this.madeOf = madeOf;
    this.#target = target;
    this.#log = log;
    const opened = this.#attempt(() => open(this.#sink()));
    const missing = opened === null ? 'the provider could not be started' : 'missing' in opened ? opened.missing : null;
    this.#missing = missing ?? '';
    this.#provider = opened === null || 'missing' in opened ? null : opened;
  }

  configure(tags: readonly TagDefinition[]): void {
    const lost = (reason: string): void => {
      const paths = tags.map(({ path }) => path);
      this.#target.lost(this, paths, reason);
    };
    const provider = this.#provider;
    if (provider === null) return lost(this.#missing);
    const done = this.#attempt(() => {
      provider.configure(tags);
      return true;
    });
    if (done === null) lost('the provider did not take its tags');
  }

  /**
   * Throws NodeError: that of the provider, `device_unreachable` without a provider, `tag_write_failed` for unexpected
   * errors.
   */
  async write(tag: TagDefinition, value: unknown, signal: AbortSignal, sendBefore: SendBefore = null): Promise<void> {
    if (this.#provider === null) throw new NodeError('device_unreachable', `${tag.path}: ${this.#missing}`);
    try {
      await this.#provider.write(tag, value, signal, sendBefore);
    } catch (error) {
      if (error instanceof NodeError) throw error;
      this.#log.error('a tag could not be written', { tag: tag.path, error });
      throw new NodeError('tag_write_failed', `${tag.path}: the value was not taken`, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#open = false;
    try {
      await this.#provider?.close();
    } catch (error) {
      this.#log.error('a provider of tags did not close', { error });
    }
  }

  #sink(): TagSink {
    return {
      sample: (path, sample) => {
        if (this.#open) this.#target.sample(this, path, sample);
      },
      lost: (paths, reason) => {
        if (this.#open) this.#target.lost(this, paths, reason);
      },
    };
  }

  #attempt<T>(work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      this.#log.error('a provider of tags failed', { error });
      return null;
    }
  }
}
