/** A name that no URL can hold as a segment: every client resolves it away, `%2E` as well (URL Standard, 4.3). */
export function isDotSegment(name: string): boolean {
  return name === '.' || name === '..';
}
