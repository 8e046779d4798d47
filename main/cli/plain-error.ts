/** Ends the command line with one plain sentence on standard error and exit code 1, without a stack or a log line. */
export class PlainError extends Error {
  constructor(sentence: string, options?: { cause?: unknown }) {
    super(sentence, options);
    this.name = 'PlainError';
  }
}

/** The answer to a change did not arrive: it may have been made or not. Exit code UNKNOWN_OUTCOME. */
export class UnknownOutcome extends PlainError {}
export const UNKNOWN_OUTCOME = 3;

/** A command line or an environment that is invalid in itself, independent of the machine. */
export class UsageError extends PlainError {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'UsageError';
  }
}
