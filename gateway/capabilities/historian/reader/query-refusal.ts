/** Why a query is not answered, with the code that its caller is told. The thread has no need of the whole SDK. */
export class QueryRefusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'QueryRefusal';
    this.code = code;
  }
}
