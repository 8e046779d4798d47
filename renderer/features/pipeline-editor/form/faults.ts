import { z } from 'zod';
import { ruleText } from '#api/rule-text.ts';
import type { CheckFinding, CheckResult } from '#common/model/pipeline.ts';
import type { JsonSchema } from '#ui/form/schema-types.ts';

// The page may not evaluate code, not even to test whether it may.
z.config({ jitless: true });

/** Errors of fields, by dotted path relative to the settings: '' is the settings as a whole. */
export type Faults = ReadonlyMap<string, string>;
export type FaultText = (code: FaultCode, values: Record<string, string | number>) => string;
export type FaultCode =
  | 'required'
  | 'number'
  | 'whole'
  | 'text'
  | 'atLeast'
  | 'atMost'
  | 'longer'
  | 'shorter'
  | 'moreEntries'
  | 'fewerEntries'
  | 'pattern'
  | 'oneOf'
  | 'unknown'
  | 'notFit';

const SETTINGS = 'settings';

/** The server's errors for fields of this node. */
export function serverFaults(check: CheckResult | null, node: string): Faults {
  const faults = new Map<string, string>();
  for (const { node: about, field, ...sentence } of check?.errors ?? []) {
    const path = about === node ? settingOf(field) : null;
    if (path !== null && !faults.has(path)) faults.set(path, ruleText(sentence).text);
  }
  return faults;
}

/** `settings.cases.0.port` as `cases.0.port`; null for anything except a setting. */
export function settingOf(field: string | undefined): string | null {
  if (field === SETTINGS) return '';
  return field?.startsWith(`${SETTINGS}.`) === true ? field.slice(SETTINGS.length + 1) : null;
}

/** Without errors in the settings of a node that was just added: the user has not filled it in yet. */
export function withoutFresh(check: CheckResult | null, fresh: string | null): CheckResult | null {
  if (check === null || fresh === null) return check;
  const errors = check.errors.filter(({ node, field }) => node !== fresh || settingOf(field) === null);
  return { ...check, errors };
}

/** Issues that are shown above the form of the node: all except errors of its fields. */
export function besideForm(check: CheckResult | null, node: string): { error: boolean; finding: CheckFinding }[] {
  const own = ({ node: about }: CheckFinding) => about === node;
  const errors = (check?.errors ?? []).filter((finding) => own(finding) && (settingOf(finding.field) ?? '') === '');
  return [
    ...errors.map((finding) => ({ error: true, finding })),
    ...(check?.warnings ?? []).filter(own).map((finding) => ({ error: false, finding })),
  ];
}

/** Errors that the schema alone detects, immediately and without the gateway. */
export function ownFaults(schema: JsonSchema, settings: unknown, text: FaultText): Faults {
  const faults = new Map<string, string>();
  for (const issue of checkerOf(schema)?.safeParse(settings).error?.issues ?? []) {
    const path = issue.path.map(String).join('.');
    if (!faults.has(path)) faults.set(path, issueText(issue, settings, text));
  }
  return faults;
}

const checkers = new WeakMap<JsonSchema, z.ZodType | null>();

/** Null: a schema with parts that Zod does not support; the server then reports errors. */
function checkerOf(schema: JsonSchema): z.ZodType | null {
  const known = checkers.get(schema);
  if (known !== undefined) return known;
  const made = compiled(schema);
  checkers.set(schema, made);
  return made;
}

function compiled(schema: JsonSchema): z.ZodType | null {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return null;
  }
}

function issueText(issue: z.core.$ZodIssue, settings: unknown, text: FaultText): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeText(issue.expected, at(settings, issue.path) === undefined, text);
    case 'too_small':
      return limitText(issue.origin, Number(issue.minimum), ['atLeast', 'longer', 'moreEntries'], text);
    case 'too_big':
      return limitText(issue.origin, Number(issue.maximum), ['atMost', 'shorter', 'fewerEntries'], text);
    case 'invalid_value':
      return text('oneOf', { values: issue.values.map(String).join(', ') });
    case 'invalid_format':
      return text('pattern', {});
    case 'unrecognized_keys':
      return text('unknown', { names: issue.keys.join(', ') });
    default:
      return text('notFit', {});
  }
}

function typeText(expected: string, missing: boolean, text: FaultText): string {
  if (missing) return text('required', {});
  if (expected === 'int') return text('whole', {});
  if (expected === 'number') return text('number', {});
  return text(expected === 'string' ? 'text' : 'notFit', {});
}

function limitText(
  origin: string,
  count: number,
  [number, length, entries]: readonly [FaultCode, FaultCode, FaultCode],
  text: FaultText,
): string {
  if (origin === 'string' && number === 'atLeast' && count === 1) return text('required', {});
  return text(origin === 'string' ? length : origin === 'array' || origin === 'set' ? entries : number, { count });
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  );
}

/** The fault of the field itself, or of nested values unless they have their own fields. */
export function faultAt(faults: Faults, path: string, inside: boolean): string | null {
  const own = faults.get(path);
  if (own !== undefined || !inside) return own ?? null;
  for (const [place, message] of faults) if (place.startsWith(`${path}.`)) return message;
  return null;
}
