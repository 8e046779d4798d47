import { schemaFaults } from './openapi-schema-faults.testing.ts';

/**
 * Faults of an OpenAPI 3.1 document by the rules that Redocly (recommended) and Spectral (spectral:oas) share, without
 * those tools (`npm run try:openapi` runs them): fields of the document; path templates, parameters and operation IDs;
 * descriptions, tags and responses of every operation; references; schemas. Empty: no faults.
 */
type Json = Record<string, unknown>;

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

export function openApiFaults(document: unknown): string[] {
  const root = asRecord(document);
  const faults: string[] = [];
  if (!/^3\.1\.\d+$/.test(String(root['openapi']))) faults.push('openapi must be 3.1.x');
  const info = asRecord(root['info']);
  for (const name of ['title', 'version'])
    if (typeof info[name] !== 'string' || info[name] === '') faults.push(`info.${name} must be a text`);
  if (!isText(info['description'])) faults.push('info.description must be a text');
  if (Object.keys(asRecord(info['contact'])).length === 0) faults.push('info.contact must be an object');
  const { name, identifier } = asRecord(info['license']);
  if (!isText(name) || !isText(identifier)) faults.push('info.license must have a name and an identifier');
  const servers = asList(root['servers']);
  if (servers.length === 0) faults.push('a server must be named');
  for (const server of servers) {
    const url = String(asRecord(server)['url']);
    if (!URL.canParse(url) || url.endsWith('/')) faults.push('a server must have a URL without a slash at the end');
  }
  return [
    ...faults,
    ...tagFaults(root),
    ...pathFaults(root),
    ...componentFaults(root),
    ...referenceFaults(root, root),
    ...schemaFaults(root),
    ...unusedComponents(root),
  ];
}

function tagFaults(root: Json): string[] {
  const tags = asList(root['tags']).map(asRecord);
  const names = tags.map(({ name }) => name);
  return [
    ...tags.filter(({ description }) => !isText(description)).map(({ name }) => `tag ${String(name)}: no description`),
    ...names.filter((name, index) => names.indexOf(name) < index).map((name) => `tag ${String(name)} is there twice`),
  ];
}

function pathFaults(root: Json): string[] {
  const faults: string[] = [];
  const shapes = new Set<string>();
  const ids = new Set<unknown>();
  for (const [path, value] of Object.entries(asRecord(root['paths']))) {
    if (!path.startsWith('/') || /[?#:]/.test(path)) faults.push(`${path}: not a path template`);
    const shape = path.replaceAll(/\{[^}]*\}/g, '{}');
    if (shapes.has(shape)) faults.push(`${path}: a template twice`);
    shapes.add(shape);
    const item = asRecord(value);
    const shared = parametersOf(item);
    for (const [method, operation] of Object.entries(item)) {
      if (method === 'parameters') continue;
      if (!METHODS.has(method)) faults.push(`${path}: ${method} is no method`);
      faults.push(...operationFaults(`${method} ${path}`, path, asRecord(operation), shared, root));
      const { operationId } = asRecord(operation);
      if (typeof operationId !== 'string' || ids.has(operationId))
        faults.push(`${path}: operationId ${String(operationId)} twice`);
      ids.add(operationId);
    }
  }
  return faults;
}

function operationFaults(where: string, path: string, operation: Json, shared: string[], root: Json): string[] {
  const faults: string[] = [];
  if (!isText(operation['summary'])) faults.push(`${where}: no summary`);
  if (!isText(operation['description'])) faults.push(`${where}: no description`);
  if (operation['description'] === operation['summary']) faults.push(`${where}: the description is the summary`);
  faults.push(...operationTagFaults(where, operation, root), ...parameterFaults(where, operation));
  const named = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '').toSorted();
  const declared = [...shared, ...parametersOf(operation)].toSorted();
  if (named.join(' ') !== declared.join(' '))
    faults.push(`${where}: parameters "${declared.join(' ')}" for "${named.join(' ')}"`);
  const responses = Object.entries(asRecord(operation['responses']));
  for (const [family, form] of FAMILIES)
    if (!responses.some(([status]) => form.test(status))) faults.push(`${where}: no ${family} response`);
  for (const [status, response] of responses) {
    if (!/^(?:[1-5]\d\d|[1-5]XX|default)$/.test(status)) faults.push(`${where}: ${status} is no status`);
    faults.push(...responseFaults(`${where} ${status}`, asRecord(response)));
  }
  if (operation['requestBody'] !== undefined)
    faults.push(...contentFaults(where, asRecord(operation['requestBody'])['content']));
  const schemes = asRecord(asRecord(root['components'])['securitySchemes']);
  for (const need of asList(operation['security']))
    for (const name of Object.keys(asRecord(need))) if (!(name in schemes)) faults.push(`${where}: no scheme ${name}`);
  return faults;
}

const FAMILIES = [
  ['2xx', /^2/],
  ['4xx', /^4/],
] as const;

function operationTagFaults(where: string, operation: Json, root: Json): string[] {
  const declared = asList(root['tags']).map((tag) => asRecord(tag)['name']);
  const tags = asList(operation['tags']);
  if (tags.length === 0) return [`${where}: no tag`];
  return tags.filter((tag) => !declared.includes(tag)).map((tag) => `${where}: the tag ${String(tag)} is not declared`);
}

/** Names of the path parameters. */
function parametersOf(holder: Json): string[] {
  return asList(holder['parameters']).flatMap((parameter) => {
    const { name, in: place, required } = asRecord(parameter);
    if (place !== 'path') return [];
    return required === true ? String(name) : `${String(name)}, which is not required`;
  });
}

const PLACES = new Set(['path', 'query', 'header']);

function parameterFaults(where: string, holder: Json): string[] {
  const parameters = asList(holder['parameters']).map(asRecord);
  const names = parameters.map(({ name, in: place }) => `${String(place)} ${String(name)}`);
  return [
    ...names.filter((name, index) => names.indexOf(name) < index).map((name) => `${where}: ${name} is there twice`),
    ...parameters
      .filter(({ in: place, schema }) => !PLACES.has(String(place)) || typeof schema !== 'object')
      .map(({ name }) => `${where}: the parameter ${String(name)} has no place or no schema`),
  ];
}

function responseFaults(where: string, response: Json): string[] {
  if (typeof response['$ref'] === 'string') return [];
  if (typeof response['description'] !== 'string') return [`${where}: no description`];
  return response['content'] === undefined ? [] : contentFaults(where, response['content']);
}

function contentFaults(where: string, content: unknown): string[] {
  const types = Object.keys(asRecord(content));
  if (types.length === 0) return [`${where}: content without a media type`];
  return types
    .filter((type) => !/^[a-z]+\/[a-z0-9.+-]+$/.test(type))
    .map((type) => `${where}: ${type} is no media type`);
}

function componentFaults(root: Json): string[] {
  const groups = Object.entries(asRecord(root['components']));
  return groups.flatMap(([group, members]) =>
    Object.keys(asRecord(members))
      .filter((name) => !/^[A-Za-z0-9._-]+$/.test(name))
      .map((name) => `components.${group}.${name}: not a component name`),
  );
}

/** Every reference of the document, to find unused components. */
function unusedComponents(root: Json): string[] {
  const text = JSON.stringify(root);
  return Object.entries(asRecord(root['components'])).flatMap(([group, members]) =>
    Object.keys(asRecord(members))
      .map((name) => `#/components/${group}/${name}`)
      .filter((pointer) => group !== 'securitySchemes' && !REFERENCE_END.some((end) => text.includes(pointer + end)))
      .map((pointer) => `${pointer} is not used`),
  );
}

const REFERENCE_END = ['"', '/'];

/** A schema with an `$id` is a separate document. */
function referenceFaults(value: unknown, root: Json): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => referenceFaults(one, root));
  if (typeof value !== 'object' || value === null) return [];
  const record = asRecord(value);
  const within = typeof record['$id'] === 'string' ? record : root;
  const ref = record['$ref'];
  const own = typeof ref === 'string' && !leads(ref, within) ? [`${ref} leads nowhere`] : [];
  return [...own, ...Object.values(record).flatMap((one) => referenceFaults(one, within))];
}

function leads(ref: string, root: Json): boolean {
  if (!ref.startsWith('#/')) return false;
  let at: unknown = root;
  for (const name of ref.slice(2).split('/')) at = asRecord(at)[name.replaceAll('~1', '/').replaceAll('~0', '~')];
  return at !== undefined;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function asRecord(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
