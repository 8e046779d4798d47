/** Ids of projects and pipelines, as the admin API takes them (common/model/ids.ts, which checks again). */
export const PROJECT_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** "Filling line 2" → "filling-line-2": what most people would have typed. */
export function idFrom(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63);
}
