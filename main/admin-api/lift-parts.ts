type Json = Record<string, unknown>;

const OWN = '#/$defs/';
const SHARED = '#/components/schemas/';

/**
 * Zod puts a recursive part into `$defs` of its schema and refers to it from the root. In a document of many schemas,
 * each such part is one component. "Any JSON value", which Zod writes as such a part, becomes the empty schema instead:
 * TypeScript refuses the type that client generators make of the recursion.
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
    const own = Object.entries($defs as Json).map(
      ([name, part]) => [name, isAnyJson(part, name) ? ANY : nameOf(part), part] as const,
    );
    const here = { ...names, ...Object.fromEntries(own.map(([name, shared]) => [name, shared])) };
    for (const [, shared, part] of own) if (shared !== ANY) parts[shared] ??= lifted(part, here);
    return Object.fromEntries(
      Object.entries(rest)
        .filter(([key, one]) => key !== '$ref' || pointed(one, here) !== SHARED + ANY)
        .map(([key, one]) => [key, key === '$ref' ? pointed(one, here) : lifted(one, here)]),
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

/** No component has this name. */
const ANY = '';

/** A union of all JSON types whose lists and objects contain the union itself. */
function isAnyJson(part: unknown, name: string): boolean {
  const own = JSON.stringify({ $ref: OWN + name });
  const members: unknown = typeof part === 'object' && part !== null && 'anyOf' in part ? part.anyOf : null;
  if (!Array.isArray(members) || members.length !== JSON_TYPES) return false;
  const texts = members.map((member: unknown) => JSON.stringify(member));
  return (
    ['string', 'number', 'boolean', 'null'].every((type) => texts.includes(JSON.stringify({ type }))) &&
    texts.some((text) => text === `{"type":"array","items":${own}}`) &&
    texts.some((text) => text.startsWith('{"type":"object"') && text.endsWith(`"additionalProperties":${own}}`))
  );
}

const JSON_TYPES = 6;
