import type { NodeCode } from '#common/errors/node-codes.ts';

/** A refused query, with the code for its caller. Avoids loading the whole SDK in the thread. */
export class QueryRefusal extends Error {
  readonly code: NodeCode;

  constructor(code: NodeCode, message: string) {
    super(message);
    this.name = 'QueryRefusal';
    this.code = code;
  }
}
