/** For the title of a test that is skipped if something is missing: ` (skipped: needs …)`, or '' if it runs. */
export function skipped(reason: string | null): string {
  return reason === null ? '' : ` (skipped: ${reason})`;
}
