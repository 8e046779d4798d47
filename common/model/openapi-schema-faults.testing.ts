import { LIST_KEYWORDS, MAP_KEYWORDS, MAY_BE_BOOLEAN, ONE_KEYWORDS, PLAIN_KEYWORDS } from './schema-keywords.ts';

/** Schemas of an OpenAPI 3.1 document that linters reject: booleans in place of objects, unknown keywords. */
type Json = Record<string, unknown>;

export function schemaFaults(document: unknown): string[] {
  return rootsIn(document, '').flatMap(([at, schema]) => faultsOf(schema, at));
}

/** Top-level schemas: those of parameters, headers, media types and components. */
function rootsIn(value: unknown, at: string): [at: string, schema: unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const here = `${at}/${name}`;
    if (name === 'schema') return [[here, inner]];
    if (at === '/components' && name === 'schemas')
      return Object.entries(asRecord(inner)).map(([key, one]) => [`${here}/${key}`, one]);
    return name === 'example' ? [] : rootsIn(inner, here);
  });
}

function faultsOf(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return [`${at}: expected a schema object`];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const here = `${at}/${keyword}`;
    if (MAY_BE_BOOLEAN.has(keyword) && typeof value === 'boolean') return [];
    if (ONE_KEYWORDS.has(keyword)) return faultsOf(value, here);
    if (LIST_KEYWORDS.has(keyword))
      return Object.entries(asRecord(value)).flatMap(([index, one]) => faultsOf(one, `${here}/${index}`));
    if (MAP_KEYWORDS.has(keyword))
      return Object.entries(asRecord(value)).flatMap(([name, one]) => faultsOf(one, `${here}/${name}`));
    return PLAIN_KEYWORDS.has(keyword) || keyword === '$ref' || keyword.startsWith('x-')
      ? []
      : [`${here}: not a keyword`];
  });
}

function asRecord(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
