type Json = Record<string, unknown>;

const OWN = '#/$defs/';
const SHARED = '#/components/schemas/';

/**
 * zod puts a part that holds itself into `$defs` of its schema and points there from the schema's root. In a document of
 * many schemas such parts stand among its components, each once.
 */
export function liftParts(document: Json & { components: Json & { schemas: Json } }): Json {
  const named = new Map<string, string>();
  const parts: Json = {};

  function nameOf(part: unknown): string {
    const text = JSON.stringify(part);
    const name = named.get(text) ?? `Part${named.size + 1}`;
    named.set(text, name);
    return name;
  }

  function lifted(value: unknown, names: Record<string, string>): unknown {
    if (Array.isArray(value)) return value.map((one) => lifted(one, names));
    if (typeof value !== 'object' || value === null) return value;
    const { $defs = {}, ...rest } = value as Json;
    const own = Object.entries($defs as Json).map(([name, part]) => [name, nameOf(part), part] as const);
    const here = { ...names, ...Object.fromEntries(own.map(([name, shared]) => [name, shared])) };
    for (const [, shared, part] of own) parts[shared] ??= lifted(part, here);
    return Object.fromEntries(
      Object.entries(rest).map(([key, one]) => [key, key === '$ref' ? pointed(one, here) : lifted(one, here)]),
    );
  }

  const whole = lifted(document, {}) as typeof document;
  const { components } = whole;
  return { ...whole, components: { ...components, schemas: { ...components.schemas, ...parts } } };
}

function pointed(ref: unknown, names: Record<string, string>): unknown {
  if (typeof ref !== 'string' || !ref.startsWith(OWN)) return ref;
  return `${SHARED}${names[ref.slice(OWN.length)]}`;
}
