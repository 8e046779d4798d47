import type { z } from 'zod';
import type { RuleOf } from './catalogue.ts';
import { declaredRule, isRule, type RuleSentence, stated } from './rules.ts';

type Issue = z.core.$ZodIssue;
const NAME_CHARS_MAX = 60;
/** A body can have a hundred thousand unknown fields; the sentence must not be longer than the body. */
const NAMES_MAX = 20;

/**
 * The sentence of an issue with its rule: the declared one of a check (`expected`, `ruleIssue`), otherwise the rule
 * that corresponds to Zod's code. A custom check without a declared sentence has no rule.
 */
export function ruleOf(issue: Issue): { message: string } & RuleOf {
  const { message } = issue;
  if (issue.code === 'unrecognized_keys') return unknownFields(issue.keys);
  const declared = declaredRule(message) ?? given(issue) ?? ofUnion(issue);
  if (declared !== undefined) return declared;
  const found = ofCode(issue);
  if (found === null) return { message };
  const { rule, params } = found;
  return { message, rule, params };
}

/** Fields of a request that its schema does not have. */
export function unknownFields(names: readonly string[]): RuleSentence {
  return stated('unknown_field', {
    names: names.slice(0, NAMES_MAX).map((name) => `"${name.slice(0, NAME_CHARS_MAX)}"`),
  });
}

/** `params` of an issue that `ruleIssue` made. */
function given(issue: Issue): RuleSentence | undefined {
  if (issue.code !== 'custom') return undefined;
  const { rule, params } = issue.params ?? {};
  return isRule(rule) ? { message: issue.message, rule, params: params as RuleSentence['params'] } : undefined;
}

function ofCode(issue: Issue): RuleSentence | null {
  switch (issue.code) {
    case 'invalid_type':
      return ofType(issue.expected);
    case 'too_small':
      return ofLimit(issue.origin, 'min', Number(issue.minimum));
    case 'too_big':
      return ofLimit(issue.origin, 'max', Number(issue.maximum));
    case 'invalid_value':
      return stated('one_of', { values: issue.values.map(String) });
    default:
      return null;
  }
}

/** `z.json({ error })` is a union that passes its declared sentence to its first member only. */
function ofUnion(issue: Issue): RuleSentence | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  const own = issue.errors.flat().filter(({ path }) => path.length === 0);
  const declared = own.flatMap(({ message }) => declaredRule(message) ?? []);
  return declared.length === 1 ? declared[0] : undefined;
}

const TYPES: Readonly<Record<string, 'text' | 'number' | 'true_or_false' | 'object' | 'list'>> = {
  string: 'text',
  number: 'number',
  boolean: 'true_or_false',
  object: 'object',
  record: 'object',
  array: 'list',
};

function ofType(type: string): RuleSentence {
  const rule = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  return rule === undefined ? stated('type', { type }) : stated(rule);
}

function ofLimit(origin: string, limit: 'min' | 'max', value: number): RuleSentence {
  const isMin = limit === 'min';
  if (origin === 'string') return isMin ? stated('length_min', { min: value }) : stated('length_max', { max: value });
  if (origin === 'number' || origin === 'int') {
    const what = 'a number';
    return isMin ? stated('number_min', { what, min: value }) : stated('number_max', { what, max: value });
  }
  const of = 'entries';
  return isMin ? stated('count_min', { min: value, of }) : stated('count_max', { max: value, of });
}
