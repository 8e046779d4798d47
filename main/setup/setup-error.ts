import type { FieldError } from '#common/errors/catalogue.ts';

/** The set-up file cannot be used, or a step was refused. The message is one sentence for the user of the command. */
export class SetupError extends Error {
  constructor(sentence: string, options?: { cause?: unknown }) {
    super(sentence, options);
    this.name = 'SetupError';
  }

  static ofField(path: string, message: string): SetupError {
    return SetupError.ofFields([{ path, message }]);
  }

  static ofFields(errors: readonly FieldError[]): SetupError {
    const [first = { path: '', message: 'it is not valid' }] = errors;
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    return new SetupError(`${first.path === '' ? '' : `${first.path}: `}${first.message}${more}`);
  }
}
