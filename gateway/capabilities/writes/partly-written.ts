import { NodeError } from '#sdk';

/** Of several writes in order, the first `done` were performed; the next one failed with this error. */
export class PartlyWritten extends NodeError {
  readonly done: number;

  constructor(error: NodeError, message: string, done: number) {
    super(error.code, message, { cause: error });
    this.done = done;
  }
}
