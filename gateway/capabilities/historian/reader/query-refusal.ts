import type { NodeCode } from '#common/errors/node-codes.ts';

/** Why a query is refused, with the code for its caller. The thread does not need the whole SDK. */
export class QueryRefusal extends Error {
  readonly code: NodeCode;

  constructor(code: NodeCode, message: string) {
    super(message);
    this.name = 'QueryRefusal';
    this.code = code;
  }
}
