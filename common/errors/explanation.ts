import type { Refusal } from '../model/audit.ts';
import { interpolate, type Values } from './interpolate.ts';
import { EXPLAINED_AS, EXPLANATIONS, type Explanation } from './refusals.ts';
import type { RemedyName } from './remedies.ts';
import type { RemedyText, ValueWords } from '../languages/error-texts.ts';

const isExplanation = (name: string): name is Explanation => Object.hasOwn(EXPLANATIONS, name);

type Explained = Pick<Refusal, 'code' | 'cause' | 'compared'>;

/** The entry that explains a refusal; null: its code is not known, for example because a later version wrote it. */
export function explanationOf({ code, cause = code, compared }: Explained): Explanation | null {
  if (code === 'scope_missing' && compared['node'] !== undefined) return runExplanation(compared);
  if (code === 'origin_not_allowed' && compared['allowedOrigins'] === 'CORS is off') return 'cors_off';
  if (cause === 'heap_full' && compared['holder'] !== undefined) return 'heap_held';
  for (const name of [cause, code]) {
    if (isExplanation(name)) return name;
    if (Object.hasOwn(EXPLAINED_AS, name)) return EXPLAINED_AS[name] ?? null;
  }
  return null;
}

/** A capability call without its scope: the place where the scope is missing depends on whose rights the run had. */
function runExplanation(compared: Refusal['compared']): Explanation {
  if (compared['revoked'] === true) return 'run_revoked';
  const held = listOf(compared['held']);
  if (listOf(compared['missing']).every((scope) => held.includes(scope))) return 'run_script';
  return compared['rights'] === 'grants' ? 'run_grants' : 'run_scope';
}

export function remediesOf(explanation: Explanation): readonly RemedyName[] {
  return EXPLANATIONS[explanation].remedies;
}

/** Scopes as stored in rows: `db:read, db:write`. */
export function listOf(value: Refusal['compared'][string] | undefined): string[] {
  return typeof value === 'string' && value !== '' ? value.split(', ') : [];
}

type Call = Omit<Refusal, 'requestId' | 'step' | 'mend'>;

/** The values to fill in: numbers in the format of the language, scopes as `code`. */
export function valuesOf(refusal: Call, words: ValueWords, language: string): Values {
  const { compared, keyName, ip, method = '', path = '', route = '', cause = '' } = refusal;
  const values = Object.fromEntries(
    Object.entries(compared).map(([name, value]) => [
      name,
      typeof value === 'number' ? value.toLocaleString(language) : String(value ?? ''),
    ]),
  );
  const scopes = Object.fromEntries(
    ['required', 'held', 'missing'].map((name) => [name, scopesText(words, listOf(compared[name]))]),
  );
  return {
    ip: ip ?? '',
    method,
    path,
    cause,
    keyId: refusal.keyId ?? '',
    accepted: words.otherMethod,
    ...values,
    ...scopes,
    who: keyName ?? ip ?? words.someone,
    call: `${method} ${path || route}`.trim(),
    timeoutS: (Number(compared['timeoutMs'] ?? 0) / 1000).toLocaleString(language),
  };
}

function scopesText(words: ValueWords, scopes: readonly string[]): string {
  const coded = scopes.map((scope) => `\`${scope}\``);
  const last = coded.pop();
  if (last === undefined) return words.nothing;
  return coded.length === 0 ? last : interpolate(words.and, { list: coded.join(', '), last });
}

/** The remedies as plain sentences, with `or` between two of them. */
export function remedySentences(texts: readonly RemedyText[], or: string, values: Values): string {
  return texts
    .map(({ title, help }) => interpolate(help === '' ? `${title}.` : `${title}. ${help}`, values))
    .join(` ${or} `)
    .replaceAll('`', '');
}
