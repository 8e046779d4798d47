/** The vocabulary of JSON Schema 2020-12, grouped by the type of a keyword's value. */
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** OpenAPI 3.1 tools accept a boolean instead of a schema only for these keywords. */
export const MAY_BE_BOOLEAN = words('items additionalProperties unevaluatedItems unevaluatedProperties');
/** Keywords whose value is a schema. */
export const ONE_KEYWORDS: ReadonlySet<string> = new Set([
  ...MAY_BE_BOOLEAN,
  ...words('not if then else contains propertyNames contentSchema'),
]);
/** Keywords whose value is a list of schemas. */
export const LIST_KEYWORDS = words('allOf anyOf oneOf prefixItems');
/** Schemas by name. */
export const MAP_KEYWORDS = words('properties patternProperties dependentSchemas');
/** Schemas by name, used only through references. */
export const DEFINITION_KEYWORDS = words('$defs definitions');
/** Values other than schemas and references. */
export const PLAIN_KEYWORDS = words(
  'type enum const title description default examples deprecated readOnly writeOnly format contentEncoding ' +
    'contentMediaType $comment pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf required dependentRequired minItems maxItems uniqueItems minContains maxContains minProperties ' +
    'maxProperties',
);
