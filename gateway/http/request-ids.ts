import { randomBytes } from 'node:crypto';

/**
 * Creates request IDs: 12 random characters for the process, then a counter. Unique across restarts, cheap per request.
 */
export class RequestIds {
  readonly #prefix = randomBytes(9).toString('base64url').replaceAll('-', 'x').replaceAll('_', 'y');
  #count = 0;

  next(): string {
    this.#count += 1;
    return `${this.#prefix}-${this.#count.toString(36)}`;
  }
}
