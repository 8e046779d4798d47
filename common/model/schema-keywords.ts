/** The vocabulary of JSON Schema 2020-12 by what the value of a keyword is. */
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Tools of OpenAPI 3.1 know a boolean in place of a schema here, and nowhere else. */
export const MAY_BE_BOOLEAN = words('items additionalProperties unevaluatedItems unevaluatedProperties');
/** A schema. */
export const ONE_KEYWORDS: ReadonlySet<string> = new Set([
  ...MAY_BE_BOOLEAN,
  ...words('not if then else contains propertyNames contentSchema'),
]);
/** A list of schemas. */
export const LIST_KEYWORDS = words('allOf anyOf oneOf prefixItems');
/** Schemas by name. */
export const MAP_KEYWORDS = words('properties patternProperties dependentSchemas');
/** Schemas by name that only references lead to. */
export const DEFINITION_KEYWORDS = words('$defs definitions');
/** Anything but schemas and references. */
export const PLAIN_KEYWORDS = words(
  'type enum const title description default examples deprecated readOnly writeOnly format contentEncoding ' +
    'contentMediaType $comment pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf required dependentRequired minItems maxItems uniqueItems minContains maxContains minProperties ' +
    'maxProperties',
);
