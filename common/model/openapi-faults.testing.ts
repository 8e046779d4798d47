/**
 * What of the OpenAPI 3.1 rules a document breaks, as far as a test can sensibly look: its fields, that path templates
 * and parameters agree and no two templates are the same, that operation ids are unique, that every reference leads
 * somewhere, that media types and responses have their form. Empty = nothing found.
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
  for (const server of asList(root['servers']))
    if (!URL.canParse(String(asRecord(server)['url']))) faults.push('a server must have a URL');
  return [...faults, ...pathFaults(root), ...componentFaults(root), ...referenceFaults(root, root)];
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
  const named = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '').toSorted();
  const declared = [...shared, ...parametersOf(operation)].toSorted();
  if (named.join(' ') !== declared.join(' '))
    faults.push(`${where}: parameters "${declared.join(' ')}" for "${named.join(' ')}"`);
  const responses = Object.entries(asRecord(operation['responses']));
  if (responses.length === 0) faults.push(`${where}: no response`);
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

function parametersOf(holder: Json): string[] {
  return asList(holder['parameters']).map((parameter) => {
    const { name, in: place, required } = asRecord(parameter);
    return place === 'path' && required === true ? String(name) : `${String(name)} is not a required path parameter`;
  });
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

/** A schema with an id of its own is a document of its own. */
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

function asRecord(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
