import { NODE_CELL } from './contract.ts';

/** A node's name in the memory that the watching thread reads. Entering and leaving cost one write each. */
export class NodeMark {
  readonly #cells: Int32Array;
  readonly #id: number;
  readonly #released: () => void;

  constructor(cells: Int32Array, id: number, released: () => void) {
    this.#cells = cells;
    this.#id = id;
    this.#released = released;
  }

  /** The node's code starts to run on the event loop. Returns the argument for `leave`: nodes can run inside nodes. */
  enter(): number {
    const outer = this.#cells[NODE_CELL] ?? 0;
    this.#cells[NODE_CELL] = this.#id;
    return outer;
  }

  leave(outer: number): void {
    this.#cells[NODE_CELL] = outer;
  }

  /** The node is closed. */
  release(): void {
    this.#released();
  }
}
