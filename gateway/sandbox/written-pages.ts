import { MARK_SHIFT, STORE_BYTES_MAX } from './store-marks.ts';

const PAGE_BYTES = 2 ** MARK_SHIFT;

/**
 * The pages of an engine's memory that were written to since the last time. Its own code marks each of its stores
 * (`store-marks.ts`); other code that writes to the memory adds the ranges that it writes.
 */
export class WrittenPages {
  readonly #marks: Uint8Array;

  /** `marks`: a byte for each page. Its memory never grows. */
  constructor(marks: WebAssembly.Memory) {
    this.#marks = new Uint8Array(marks.buffer);
  }

  add(at: number, bytes: number): void {
    if (bytes > 0) this.#marks.fill(1, at >>> MARK_SHIFT, ((at + bytes - 1) >>> MARK_SHIFT) + 1);
  }

  /** Gives the written ranges of a memory of so many bytes in their order, and forgets them. */
  take(bytes: number, range: (from: number, to: number) => void): void {
    const marks = this.#marks;
    const pages = bytes / PAGE_BYTES;
    for (let page = 0; page < pages; page++) {
      if (marks[page] === 0) continue;
      const first = page;
      while (page < pages && marks[page] !== 0) page += 1;
      range(first * PAGE_BYTES, Math.min(page * PAGE_BYTES + STORE_BYTES_MAX, bytes));
    }
    marks.fill(0, 0, pages);
  }
}
