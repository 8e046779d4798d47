import {
  DEFINITION_KEYWORDS as DEFINITIONS,
  LIST_KEYWORDS as LISTS,
  MAP_KEYWORDS as MAPS,
  MAY_BE_BOOLEAN,
  ONE_KEYWORDS as ONE,
  PLAIN_KEYWORDS as PLAIN,
} from './schema-keywords.ts';

/**
 * JSON Schemas (2020-12) of authors as components of an OpenAPI 3.1 document, in the subset that linters and client
 * generators share:
 * - `true` and `false` are objects, except where those tools know them (`additionalProperties`, `items`);
 * - definitions are separate components, and references lead to components;
 * - `$id` and anchors are removed and references resolved; a dangling reference is left out, which accepts any value;
 * - keywords outside the vocabulary become extensions (`x-…`).
 */
type Json = Record<string, unknown>;

const COMPONENTS = '#/components/schemas/';

/** Component names by the text of the schema: equal schemas are one component. */
export class SchemaComponents {
  readonly #names = new Map<string, string>();
  readonly #schemas: Json;
  /**
   * The number of requests for each name: a draft can use one 50,000 times, and each search for a free name would take
   * longer than the one before.
   */
  readonly #wanted = new Map<string, number>();

  /** `own` are the schemas of the document itself, by name. */
  constructor(own: Json) {
    this.#schemas = { ...own };
  }

  /** A reference to the component of this schema, which is added under `name` if it is new. */
  reference(name: string, schema: unknown): Json {
    const text = JSON.stringify(schema);
    const known = this.#names.get(text) ?? this.#add(name, schema);
    this.#names.set(text, known);
    return { $ref: COMPONENTS + known };
  }

  all(): Json {
    return { ...this.#schemas };
  }

  #add(name: string, schema: unknown): string {
    const own = this.#free(name);
    const root = COMPONENTS + own;
    const definitions = definitionsIn(schema, root).map(([pointer, part]) => {
      const component = this.#free(`${own}_${lastName(pointer)}`);
      return { pointer, part, component };
    });
    const moves = new Map(definitions.map(({ pointer, component }) => [pointer, COMPONENTS + component]));
    const work: Work = { whole: schema, base: root, moves, anchors: anchorsIn(schema, root) };
    this.#schemas[own] = portable(schema, { pointer: root, resource: root }, work);
    for (const { pointer, part, component } of definitions)
      this.#schemas[component] = portable(part, { pointer, resource: resourceOf(pointer, work) }, work);
    return own;
  }

  #free(wanted: string): string {
    const name = wanted.replaceAll(/[^A-Za-z0-9._-]/g, '_');
    for (let count = (this.#wanted.get(name) ?? 0) + 1; ; count++) {
      const candidate = count === 1 ? name : `${name}_${count}`;
      if (Object.hasOwn(this.#schemas, candidate)) continue;
      this.#wanted.set(name, count);
      this.#schemas[candidate] = {};
      return candidate;
    }
  }
}

interface Work {
  readonly whole: unknown;
  /** The pointer of the root schema in the document, before definitions become separate components. */
  readonly base: string;
  /** Maps the pointer of a definition to that of its component. */
  readonly moves: ReadonlyMap<string, string>;
  /** Maps `#name` or an `$id` to the pointer of its schema. */
  readonly anchors: ReadonlyMap<string, string>;
}

interface Place {
  readonly pointer: string;
  /**
   * The pointer of the schema in which relative references are resolved: the nearest one with an `$id`, else the root.
   */
  readonly resource: string;
}

/** Keywords that are resolved and removed. */
const ADDRESSING = new Set(['$id', '$schema', '$anchor', '$dynamicAnchor', '$vocabulary', '$recursiveAnchor']);
const REFERENCES = new Set(['$ref', '$dynamicRef']);

function portable(schema: unknown, at: Place, work: Work): unknown {
  if (schema === false) return { not: {} };
  if (!isRecord(schema)) return {};
  const resource = typeof schema['$id'] === 'string' ? at.pointer : at.resource;
  const under = (...names: string[]): Place => ({ pointer: below(at.pointer, ...names), resource });
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (ADDRESSING.has(keyword) || DEFINITIONS.has(keyword)) return [];
    if (REFERENCES.has(keyword)) return referenceOf(value, resource, work);
    if (PLAIN.has(keyword) || keyword.startsWith('x-')) return [[keyword, value]];
    if (MAY_BE_BOOLEAN.has(keyword) && typeof value === 'boolean') return [[keyword, value]];
    if (ONE.has(keyword)) return [[keyword, portable(value, under(keyword), work)]];
    if (LISTS.has(keyword) && Array.isArray(value))
      return [[keyword, value.map((one, index) => portable(one, under(keyword, String(index)), work))]];
    if (MAPS.has(keyword) && isRecord(value))
      return [[keyword, mapValues(value, (one, name) => portable(one, under(keyword, name), work))]];
    return [[`x-${keyword.replace(/^\$/, '')}`, value]];
  });
  return Object.fromEntries(entries);
}

function referenceOf(value: unknown, resource: string, work: Work): [string, unknown][] {
  const pointer = pointerOf(value, resource, work);
  if (pointer === null || lookUp(pointer, work) === undefined) return [];
  return [['$ref', encodeURI(moved(pointer, work))]];
}

/**
 * The target of a reference, as a pointer in the document before definitions become components; null: outside the
 * document.
 */
function pointerOf(value: unknown, resource: string, { anchors }: Work): string | null {
  if (typeof value !== 'string') return null;
  if (value === '#') return resource;
  if (value.startsWith('#/')) return resource + decoded(value.slice(1));
  return anchors.get(value) ?? null;
}

/** A pointer inside a definition leads to the component of the nearest definition. */
function moved(pointer: string, { base, moves }: Work): string {
  for (let at = pointer; at.length > base.length; at = at.slice(0, at.lastIndexOf('/'))) {
    const component = moves.get(at);
    if (component !== undefined) return component + pointer.slice(at.length);
  }
  return pointer;
}

function lookUp(pointer: string, { whole, base }: Work): unknown {
  let at: unknown = whole;
  for (const name of pointer.slice(base.length).split('/').slice(1)) {
    const key = unescaped(name);
    if (Array.isArray(at)) at = at[Number(key)];
    else at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

/** The nearest schema above a pointer that has an `$id`, else the root. */
function resourceOf(pointer: string, work: Work): string {
  for (let at = pointer; at.length > work.base.length; at = at.slice(0, at.lastIndexOf('/'))) {
    const schema = lookUp(at, work);
    if (isRecord(schema) && typeof schema['$id'] === 'string') return at;
  }
  return work.base;
}

/** Every definition with its pointer, including nested ones. */
function definitionsIn(schema: unknown, pointer: string): [pointer: string, schema: unknown][] {
  if (!isRecord(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) =>
    partsOf(keyword, value).flatMap(([names, part]) => {
      const inner = below(pointer, keyword, ...names);
      const within = definitionsIn(part, inner);
      const own: [string, unknown][] = [[inner, part]];
      return DEFINITIONS.has(keyword) ? [...own, ...within] : within;
    }),
  );
}

/** Each `#name` and `$id` with its target. */
function anchorsIn(schema: unknown, pointer: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (part: unknown, at: string): void => {
    if (!isRecord(part)) return;
    const { $id, $anchor, $dynamicAnchor } = part;
    if (typeof $id === 'string') found.set($id, at);
    for (const name of [$anchor, $dynamicAnchor]) if (typeof name === 'string') found.set(`#${name}`, at);
    for (const [keyword, value] of Object.entries(part))
      for (const [names, inner] of partsOf(keyword, value)) visit(inner, below(at, keyword, ...names));
  };
  visit(schema, pointer);
  return found;
}

/** The schemas in the value of a keyword, each with its path. */
function partsOf(keyword: string, value: unknown): [names: string[], schema: unknown][] {
  if (ONE.has(keyword)) return [[[], value]];
  if (LISTS.has(keyword) && Array.isArray(value)) return value.map((one: unknown, index) => [[String(index)], one]);
  if ((MAPS.has(keyword) || DEFINITIONS.has(keyword)) && isRecord(value))
    return Object.entries(value).map(([name, one]) => [[name], one]);
  return [];
}

function mapValues(record: Json, make: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value, name)]));
}

/** RFC 6901, section 3: without the percent-encoding of a URI, which the reference itself has. */
function below(pointer: string, ...names: string[]): string {
  const parts = names.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'));
  return [pointer, ...parts].join('/');
}

function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function lastName(pointer: string): string {
  return unescaped(pointer.slice(pointer.lastIndexOf('/') + 1));
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
