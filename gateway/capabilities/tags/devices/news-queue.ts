import { CHARS_PER_BATCH_MAX, CHARS_WAITING_MAX, NEWS_PER_BATCH_MAX, NEWS_WAITING_MAX } from './limits.ts';
import type { News } from './messages.ts';

/**
 * Device reports not yet sent to the gateway, in order of arrival.
 *
 * Limits: up to NEWS_WAITING_MAX and CHARS_WAITING_MAX, nothing is omitted. Beyond that, only the newest report of each
 * tag is kept, in its position, so that a loss after a sample remains after it. The sweep that does so runs again when
 * as many entries have been added as it left behind, so that the cost per entry is constant.
 */
export class NewsQueue {
  #waiting: News[] = [];
  #chars = 0;
  #sweepAt = NEWS_WAITING_MAX;
  #sweepAtChars = CHARS_WAITING_MAX;

  get size(): number {
    return this.#waiting.length;
  }

  add(news: News): void {
    this.#waiting.push(news);
    this.#chars += charsOf(news);
    if (this.#waiting.length > this.#sweepAt || this.#chars > this.#sweepAtChars) this.#sweep();
  }

  /** The oldest reports, up to the size of one batch. */
  take(): News[] {
    const count = this.#batchSize();
    const batch = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    for (const news of batch) this.#chars -= charsOf(news);
    return batch;
  }

  /** Removes the reports of a provider that was closed. */
  forget(id: number): void {
    this.#keep(this.#waiting.filter((news) => news.id !== id));
  }

  #batchSize(): number {
    let chars = 0;
    let count = 0;
    for (const news of this.#waiting) {
      if (count >= NEWS_PER_BATCH_MAX || chars >= CHARS_PER_BATCH_MAX) break;
      chars += charsOf(news);
      count += 1;
    }
    return count;
  }

  #sweep(): void {
    const newest = new Map<string, News>();
    for (const news of this.#waiting) {
      const key = `${news.id} ${news.path}`;
      newest.delete(key);
      newest.set(key, news);
    }
    this.#keep([...newest.values()]);
    this.#sweepAt = Math.max(NEWS_WAITING_MAX, this.#waiting.length * 2);
    this.#sweepAtChars = Math.max(CHARS_WAITING_MAX, this.#chars * 2);
  }

  #keep(news: News[]): void {
    this.#waiting = news;
    this.#chars = news.reduce((sum, one) => sum + charsOf(one), 0);
  }
}

/** Approximate size of the value; only texts and lists can be large. */
function charsOf(news: News): number {
  if ('lost' in news) return news.lost.length;
  const { value } = news.sample;
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return weights.get(value) ?? weigh(value);
}

/** The size of a value is computed only once. */
const weights = new WeakMap<object, number>();

function weigh(value: object): number {
  const chars = JSON.stringify(value)?.length ?? 0;
  weights.set(value, chars);
  return chars;
}
