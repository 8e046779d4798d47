import {
  isLimited as limitsApply,
  type KeyLimits,
  LIMIT_LISTS,
  type LimitList,
  type PipelineLimits,
} from '#common/model/key-limits.ts';
import type { KeyRecord } from '#common/model/records.ts';
import type { Scope } from '#common/scopes.ts';

/**
 * Limits as they are typed: a list has one entry per line, the end is a local time such as `2026-12-01T18:00`. Null =
 * no limit.
 */
export type LimitTexts = { [N in LimitList | 'until']?: string | null } & { rehearsal?: boolean };

/** An entry of each list, as an example. */
export const LIMIT_EXAMPLES: Readonly<Record<LimitList, string>> = {
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
  targets: 'mes.example:443',
  addresses: '10.0.0.0/8',
  hours: 'mon-fri 06:00-14:00',
};

export const isTagScope = (name: string): boolean => ['tag:read', 'tag:write', 'hist:read'].includes(name);

export function isLimited({ limits }: Pick<KeyRecord, 'limits'>): boolean {
  return limitsApply(limits);
}

/** A pasted list may have commas instead of lines. */
export function entriesOf(text: string): string[] {
  return text
    .split(/[\n,;]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** The lists of every key, whatever its scopes. */
export const USE_LISTS = ['targets', 'addresses', 'hours'] as const;

/** Lists of scopes that the key does not have are left out. */
export function limitsOf(texts: LimitTexts, scopes: readonly Scope[]): KeyLimits {
  const { until, rehearsal } = texts;
  return {
    ...listsOf(texts, [...scopes, ...USE_LISTS]),
    ...(typeof until === 'string' && { until: endOf(until) }),
    ...(rehearsal === true && { rehearsal }),
  };
}

/** The lists that are limited. */
export function listsOf<L extends LimitList>(texts: LimitTexts, lists: readonly L[]): { [N in L]?: string[] } {
  const limits: { [N in L]?: string[] } = {};
  for (const name of lists) {
    const text = texts[name];
    if (typeof text === 'string') limits[name] = entriesOf(text);
  }
  return limits;
}

/** Only the lists that are limited. */
export function listTexts(limits: PipelineLimits): LimitTexts {
  return Object.fromEntries(Object.entries(limits).map(([name, entries]) => [name, (entries ?? []).join('\n')]));
}

export function textsOf(limits: KeyLimits): LimitTexts {
  const lists = LIMIT_LISTS.map((name) => [name, limits[name]?.join('\n') ?? null]);
  const until = limits.until === undefined ? null : localTime(limits.until);
  return { ...Object.fromEntries(lists), until, rehearsal: limits.rehearsal === true };
}

/** Text that is not a time is sent as it is: the refusal names the field. */
function endOf(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? local : time.toISOString();
}

function localTime(iso: string): string {
  const time = new Date(iso);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
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
