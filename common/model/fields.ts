import { z } from 'zod';
import type { FieldError } from '../errors/catalogue.ts';
import { ruleOf } from '../errors/rule-of-issue.ts';
import { expected, ruleIssue } from '../errors/rules.ts';
import { isScope, SCOPES, type Scope } from '../scopes.ts';

/** A list setting: an array of texts or one comma-separated text; entries are trimmed, empty ones removed. */
export const textList = z
  .union([z.array(z.string()), z.string()], { error: expected('list_of_texts') })
  .transform((value) =>
    (Array.isArray(value) ? value : value.split(',')).map((entry) => entry.trim()).filter((entry) => entry !== ''),
  );

/** A list of scope names; each must be one of the ten. Duplicates are removed. */
export const scopeList = textList.transform((names, context): Scope[] => {
  const scopes: Scope[] = [];
  for (const name of names) {
    if (!isScope(name)) {
      context.addIssue(ruleIssue('scope', { name: name.slice(0, 60), scopes: SCOPES }));
      return z.NEVER;
    }
    if (!scopes.includes(name)) scopes.push(name);
  }
  return scopes;
});

/** Zod's issues as field errors: each has a dotted path, one plain sentence, and its rule. */
export function fieldErrors(error: z.ZodError, prefix = ''): FieldError[] {
  return error.issues.map((issue) => {
    const path = [prefix, ...issue.path.map(String)].filter((part) => part !== '').join('.');
    return { path, ...ruleOf(issue) };
  });
}
