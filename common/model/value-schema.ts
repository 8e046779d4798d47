type Json = Record<string, unknown>;

/** A schema that the value fits, with its fields required: of a reply that is always the same. */
export function schemaOfValue(value: unknown): Json {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', items: sameOf(value.map(schemaOfValue)) };
  if (typeof value !== 'object') return { type: typeof value };
  const properties = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, schemaOfValue(one)]));
  const required = Object.keys(properties);
  return { type: 'object', ...(required.length > 0 && { required }), properties };
}

function sameOf(schemas: readonly Json[]): Json {
  const [first = {}] = schemas;
  return schemas.every((schema) => JSON.stringify(schema) === JSON.stringify(first)) ? first : {};
}
