const ID_CHARS_MAX = 63;

/** `id` if it is free, else `id-2`, `id-3` …; always a valid ID. */
export function freeId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  for (let number = 2; ; number++) {
    const end = `-${number}`;
    const next = id.slice(0, ID_CHARS_MAX - end.length) + end;
    if (!taken.has(next)) return next;
  }
}
