import type { TagValue } from '#common/model/tag.ts';
import type { Logger } from '#common/node/log.ts';
import type { TagListener } from './contract.ts';

/** One `watch`. A listener that throws is logged once and still receives values; the others are not affected. */
export class Watcher {
  readonly patterns: readonly string[];
  readonly #listener: TagListener;
  readonly #log: Logger;
  #failed = false;
  #ended = false;

  constructor(patterns: readonly string[], listener: TagListener, log: Logger) {
    this.patterns = [...patterns];
    this.#listener = listener;
    this.#log = log;
  }

  end(): void {
    this.#ended = true;
  }

  tell(value: TagValue): void {
    if (this.#ended) return;
    try {
      this.#listener(value);
    } catch (error) {
      if (!this.#failed) this.#log.error('a listener to tags failed', { tag: value.path, error });
      this.#failed = true;
    }
  }
}
