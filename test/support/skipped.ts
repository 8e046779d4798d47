/** For the title of a test that is left out where something is missing: ` (skipped: needs …)`, or '' where it runs. */
export function skipped(reason: string | null): string {
  return reason === null ? '' : ` (skipped: ${reason})`;
}
