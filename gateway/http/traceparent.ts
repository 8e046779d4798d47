/** W3C Trace Context, 3.2: version 00, trace id, parent id, flags; lower case. */
const FORM = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The header's value if it is a trace of version 00; null otherwise, because an invalid one must be ignored. */
export function readTraceparent(text: string): string | null {
  return text !== '' && FORM.test(text) ? text : null;
}
