import type { KeyLimits } from '#common/model/key-limits.ts';
import type { KeyRecord } from '#common/model/records.ts';
import type { Scope } from '#common/scopes.ts';

/** A list of limits as it is typed: one entry per line. Null = no limit. */
export type LimitTexts = { [N in Scope | 'addresses']?: string | null };

/** An entry of each list, as an example. */
export const LIMIT_EXAMPLES: Readonly<Record<Scope | 'addresses', string>> = {
  'tag:read': 'line7/filler/*',
  'tag:write': 'line7/filler/*',
  'db:read': 'open-orders',
  'db:write': 'embedded',
  'hist:read': 'line7/**',
  'vars:read': 'shift/*',
  'vars:write': 'shift/*',
  'file:read': 'reports/**',
  'file:write': 'reports/**',
  'script:execute': 'script/recipe',
  addresses: '10.0.0.0/8',
};

export const isTagScope = (name: string): boolean => ['tag:read', 'tag:write', 'hist:read'].includes(name);

export function isLimited({ limits }: Pick<KeyRecord, 'limits'>): boolean {
  return Object.values(limits).some((list) => list !== undefined);
}

/** A pasted list may have commas instead of lines. */
export function entriesOf(text: string): string[] {
  return text
    .split(/[\n,;]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Lists of scopes that the key does not have are left out. */
export function limitsOf(texts: LimitTexts, scopes: readonly Scope[]): KeyLimits {
  const limits: KeyLimits = {};
  for (const name of [...scopes, 'addresses'] as const) {
    const text = texts[name];
    if (typeof text === 'string') limits[name] = entriesOf(text);
  }
  return limits;
}

export function textsOf(limits: KeyLimits): LimitTexts {
  return Object.fromEntries(Object.entries(limits).map(([name, list]) => [name, list?.join('\n') ?? null]));
}

/** The tags and the folders above them, as entries of a limit. */
export function tagEntries(paths: readonly string[]): string[] {
  const folders = paths.flatMap((path) =>
    path
      .split('/')
      .slice(0, -1)
      .map((_, depth, names) => `${names.slice(0, depth + 1).join('/')}/**`),
  );
  return [...new Set([...folders, ...paths])].toSorted();
}
