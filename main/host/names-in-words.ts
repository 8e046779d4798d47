const NAMES_MAX = 5;

/** A list of names in an alarm: a few of them, and how many more there are. */
export function namesInWords(names: readonly string[]): string {
  const more = names.length > NAMES_MAX ? ` +${names.length - NAMES_MAX}` : '';
  return names.slice(0, NAMES_MAX).join(', ') + more;
}
