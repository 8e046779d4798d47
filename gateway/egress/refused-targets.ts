import { REFUSED_MS, REFUSED_LISTED_MAX } from './direct-limits.ts';

/** Targets whose direct calls were refused because of a share within REFUSED_MS; an alarm names them. */
export class RefusedTargets {
  readonly #untilMs = new Map<string, number>();
  readonly #onChange: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get origins(): string[] {
    return [...this.#untilMs.keys()];
  }

  add(origin: string): void {
    const isNew = !this.#untilMs.has(origin);
    if (isNew && this.#untilMs.size >= REFUSED_LISTED_MAX) return;
    this.#untilMs.set(origin, performance.now() + REFUSED_MS);
    this.#timer ??= setTimeout(() => this.#forget(), REFUSED_MS).unref();
    if (isNew) this.#onChange();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #forget(): void {
    this.#timer = undefined;
    const before = this.#untilMs.size;
    for (const [origin, untilMs] of this.#untilMs) if (untilMs <= performance.now()) this.#untilMs.delete(origin);
    if (this.#untilMs.size > 0) this.#timer = setTimeout(() => this.#forget(), REFUSED_MS).unref();
    if (this.#untilMs.size !== before) this.#onChange();
  }
}
