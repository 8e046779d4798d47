const NAME_CHARS_MAX = 64;
const NUMBERED = /^(.*\S) \((\d{1,6})\)$/s;

/** "MES" is followed by "MES (2)", that by "MES (3)"; numbers in use are skipped. At most 64 characters. */
export function successorName(name: string, taken: (name: string) => boolean): string {
  const [, base = name, number = '1'] = NUMBERED.exec(name) ?? [];
  for (let next = Number(number) + 1; ; next++) {
    const suffix = ` (${next})`;
    const candidate = base.slice(0, NAME_CHARS_MAX - suffix.length).trimEnd() + suffix;
    if (!taken(candidate)) return candidate;
  }
}
