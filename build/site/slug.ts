/** The anchor of a heading, as GitHub makes it, so that one link works on both. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Anchors of one page: the second heading of a name gets `-1`, the third `-2`. */
export function createSlugs(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const slug = slugOf(heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}
