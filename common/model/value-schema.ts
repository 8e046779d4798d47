type Json = Record<string, unknown>;

/** The schema of a reply that is always the same, with all fields required. */
export function schemaOfValue(value: unknown): Json {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', items: sameOf(value.map(schemaOfValue)) };
  if (typeof value !== 'object') return { type: typeof value };
  const properties = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, schemaOfValue(one)]));
  const required = Object.keys(properties);
  return { type: 'object', ...(required.length > 0 && { required }), properties };
}

function sameOf(schemas: readonly Json[]): Json {
  const [first = {}, ...others] = schemas;
  return others.every((schema) => isSame(first, schema)) ? first : {};
}

/** Ends at the first difference: serializing both values at each level of a deep value takes 30 s. */
function isSame(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other;
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === others.length && names.every((name, at) => name === others[at] && isSame(one[name], other[name]))
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
