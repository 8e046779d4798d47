/**
 * A name that no URL can contain as a segment: every client removes it when it resolves the URL, even as `%2E` (URL
 * Standard, 4.3).
 */
export function isDotSegment(name: string): boolean {
  return name === '.' || name === '..';
}
