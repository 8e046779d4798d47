/** Fields that a sentence names. */
const NAMED_MAX = 8;

type Value = unknown;

/**
 * The paths of the fields that differ, such as `nodes.call.settings.url`; items of lists are named by their `id`.
 * Empty: both are equal, in the order of their fields too, which code and callers can see.
 */
export function differences(before: Value, after: Value, path: readonly string[] = []): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, now] = [entriesOf(before), entriesOf(after)];
  if (old === null || now === null) return [path.join('.')];
  const names = new Set([...old.keys(), ...now.keys()]);
  const found = [...names].flatMap((name) => differences(old.get(name), now.get(name), [...path, name]));
  return found.length > 0 ? found : [path.join('.')];
}

/** For a sentence: the fields in parentheses, or nothing. */
export function inParentheses(fields: readonly string[]): string {
  const named = fields.filter((field) => field !== '');
  if (named.length === 0) return '';
  const more = named.length > NAMED_MAX ? ` and ${named.length - NAMED_MAX} more` : '';
  return ` (${named.slice(0, NAMED_MAX).join(', ')}${more})`;
}

/** Null: a value that is compared as a whole. */
function entriesOf(value: Value): Map<string, Value> | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const named = value.map((item: Value): [string, Value] => [idOf(item), item]);
  return named.some(([id]) => id === '') ? null : new Map(named);
}

function idOf(item: Value): string {
  return typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string' ? item.id : '';
}
