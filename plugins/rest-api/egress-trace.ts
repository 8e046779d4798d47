/**
 * The caller's trace in the form in which it is passed on (W3C Trace Context, 4.3: a participant creates a new parent
 * ID for each call and keeps trace ID and flags).
 */
export function passedOn(traceparent: string | null): string | null {
  if (traceparent === null) return null;
  const [version, trace, , flags] = traceparent.split('-');
  return `${version}-${trace}-${parentId()}-${flags}`;
}

const NO_ID = '0'.repeat(16);

function parentId(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(8))];
  const text = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  // All zeros is not a valid ID.
  return text === NO_ID ? parentId() : text;
}
