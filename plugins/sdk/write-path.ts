import { NodeError } from './kind.ts';
import { type Path, parsePath } from '#common/model/message-path.ts';

/** Names that could reach an object's prototype in other code. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** A path below payload that may be written; throws RangeError with a plain sentence for any other. */
export function targetPath(text: string): Path {
  const path = parsePath(text);
  if (path[0] !== 'payload' || path.length < 2)
    throw new RangeError(`expected a path below payload, such as payload.body.id; it is "${text.slice(0, 60)}"`);
  const bad = path.find((name) => FORBIDDEN.has(name));
  if (bad !== undefined) throw new RangeError(`"${bad}" cannot be part of a path that is written`);
  return path;
}

/**
 * Copy-on-write below a root: every object on the path is copied, everything else is shared. Missing names become
 * objects; a list accepts indexes from 0 to its length. Throws NodeError `path_invalid` if a name leads into a text,
 * number, boolean or bytes.
 */
export function writePath(root: unknown, path: Path, value: unknown): unknown {
  return write(root, path, 0, value);
}

/** Removes a value; a list closes the gap. A missing value is ignored. */
export function removePath(root: unknown, path: Path): unknown {
  return remove(root, path, 0);
}

function write(holder: unknown, path: Path, at: number, value: unknown): unknown {
  const name = path[at];
  if (name === undefined) return value;
  if (Array.isArray(holder)) {
    const index = indexIn(holder, name, path);
    return withEntry(holder, index, write(holder[index], path, at + 1, value));
  }
  const fields = fieldsOf(holder, path, at);
  return withField(fields, name, write(Object.hasOwn(fields, name) ? fields[name] : undefined, path, at + 1, value));
}

function remove(holder: unknown, path: Path, at: number): unknown {
  const name = path[at] ?? '';
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return holder;
  const last = at === path.length - 1;
  if (Array.isArray(holder)) {
    if (!/^\d+$/.test(name)) return holder;
    return last
      ? holder.toSpliced(Number(name), 1)
      : withEntry(holder, Number(name), remove(holder[Number(name)], path, at + 1));
  }
  if (holder instanceof Uint8Array) return holder;
  const fields = holder as Record<string, unknown>;
  if (!last) return withField(fields, name, remove(fields[name], path, at + 1));
  const { [name]: _, ...rest } = fields;
  return rest;
}

/** The object to copy: the holder itself, or a new one if there is none. */
function fieldsOf(holder: unknown, path: Path, at: number): Record<string, unknown> {
  if (holder === undefined || holder === null) return {};
  if (typeof holder === 'object' && !(holder instanceof Uint8Array)) return holder as Record<string, unknown>;
  const where = ['payload', ...path.slice(0, at)].join('.');
  throw new NodeError(
    'path_invalid',
    `${where} is a ${typeof holder === 'object' ? 'byte array' : typeof holder}; nothing can be written below it`,
  );
}

/**
 * A spread creates only own properties, including `__proto__`; the name itself was checked when the pipeline was read.
 */
function withField(fields: Record<string, unknown>, name: string, value: unknown): Record<string, unknown> {
  return { ...fields, [name]: value };
}

function withEntry(list: readonly unknown[], index: number, value: unknown): unknown[] {
  const copy = [...list];
  copy[index] = value;
  return copy;
}

function indexIn(list: readonly unknown[], name: string, path: Path): number {
  if (/^\d{1,9}$/.test(name) && Number(name) <= list.length) return Number(name);
  throw new NodeError(
    'path_invalid',
    `payload.${path.join('.')}: the list has ${list.length} entries; expected an index from 0 to ${list.length}, not "${name.slice(0, 40)}"`,
  );
}
