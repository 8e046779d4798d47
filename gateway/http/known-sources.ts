import { KNOWN_SOURCES_MAX, KNOWN_SOURCE_MS } from './limits.ts';

/** Addresses, or IPv6 /64 networks, that presented a valid key in the last hour. The oldest entry is removed first. */
export class KnownSources {
  readonly #nowMs: () => number;
  readonly #notedMs = new Map<string, number>();

  constructor(nowMs = (): number => performance.now()) {
    this.#nowMs = nowMs;
  }

  note(block: string): void {
    this.#notedMs.delete(block);
    this.#notedMs.set(block, this.#nowMs());
    if (this.#notedMs.size <= KNOWN_SOURCES_MAX) return;
    for (const oldest of this.#notedMs.keys()) return void this.#notedMs.delete(oldest);
  }

  has(block: string): boolean {
    const notedMs = this.#notedMs.get(block);
    return notedMs !== undefined && this.#nowMs() - notedMs < KNOWN_SOURCE_MS;
  }
}
