import { DATA_DEPTH_MAX, leave, spend, spendResult, spendMembers, spendNames, spendNumberText } from './budget.ts';

/** A value of a native run: undefined, null, a boolean, a number, a string, an array or a plain object. */
export type Value = unknown;
export type PlainObject = Record<string, Value>;

const { hasOwn } = Object;
const MAIN_PROTOTYPE = Object.prototype;

export function isObject(value: Value): value is object {
  return typeof value === 'object' && value !== null;
}

/** Leaves the run unless the value is one that JSON carries to a script without a change. */
export function checkInput(value: Value, depth = DATA_DEPTH_MAX): void {
  spend(1);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return;
    case 'number':
      return checkNumber(value);
    case 'object':
      if (value === null) return;
      if (depth === 0) leave();
      if (Array.isArray(value)) return checkList(value, depth);
      return checkObject(value, depth);
    default:
      leave();
  }
}

function checkNumber(value: number): void {
  if (!Number.isFinite(value) || Object.is(value, -0)) leave();
}

function checkList(list: readonly unknown[], depth: number): void {
  if (Object.getPrototypeOf(list) !== Array.prototype) leave();
  for (let index = 0; index < list.length; index++) checkInput(list[index], depth - 1);
}

function checkObject(value: object, depth: number): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== MAIN_PROTOTYPE && prototype !== null) leave();
  for (const name in value) {
    if (!hasOwn(value, name)) leave();
    checkName(name);
    checkInput((value as PlainObject)[name], depth - 1);
  }
}

/** Names with a meaning of their own: for an object that is written, and for results, which are refused with them. */
export function checkName(name: string): void {
  if (name === '__proto__' || name === 'constructor' || name === 'toJSON') leave();
}

/** A property as a script reads it; never one that is inherited. */
export function propertyOf(value: Value, key: Value): Value {
  if (typeof value === 'string') {
    if (key === 'length') return value.length;
    return typeof key === 'number' && Number.isInteger(key) ? value[key] : leave();
  }
  if (typeof value !== 'object' || value === null) leave();
  if (Array.isArray(value)) {
    if (key === 'length') return value.length;
    if (typeof key !== 'number' || !Number.isInteger(key)) leave();
    return key >= 0 && key < value.length ? (value as Value[])[key] : undefined;
  }
  const name = nameOf(key);
  if (hasOwn(value, name)) return (value as PlainObject)[name];
  // Inherited: a function, mostly.
  if (name in MAIN_PROTOTYPE) leave();
  return undefined;
}

export function nameOf(key: Value): string {
  if (typeof key === 'string') {
    spend(key.length >>> 4);
    return key;
  }
  if (typeof key !== 'number') leave();
  spendNumberText(key);
  return String(key);
}

/** As `Object.keys`, of a plain object alone. */
export function keysOf(value: Value): string[] {
  if (!isObject(value) || Array.isArray(value)) leave();
  const keys = Object.keys(value);
  spendNames(keys.length);
  return keys;
}

export function setOwn(object: PlainObject, key: Value, value: Value): void {
  const name = nameOf(key);
  checkName(name);
  object[name] = value;
}

export function spreadInto(object: PlainObject, value: Value): void {
  if (value === null || value === undefined) return;
  const keys = keysOf(value);
  spendMembers(keys.length);
  for (const key of keys) object[key] = (value as PlainObject)[key];
}

export function listOf(value: Value): Value[] {
  return Array.isArray(value) ? value : leave();
}

/** A text of a primitive value, as templates and `+` make it. */
export function textOf(value: Value): string {
  if (isObject(value)) leave();
  if (typeof value === 'number') spendNumberText(value);
  return String(value);
}

const FAST_MEMBERS_MAX = 64;

/** A copy as JSON makes it. */
export function toResult(value: Value, depth = DATA_DEPTH_MAX): Value {
  spend(1);
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (value === undefined) return null;
  if (typeof value === 'string') spendResult(value.length);
  if (!isObject(value)) return value;
  if (depth === 0) leave();
  if (Array.isArray(value)) return value.map((item: Value) => toResult(item, depth - 1));
  const copy: PlainObject = {};
  const keys = Object.keys(value);
  // V8 keeps the members of a large object in a table, which takes longer to write.
  if (keys.length > FAST_MEMBERS_MAX) spendMembers(2 * keys.length);
  for (const key of keys) {
    checkName(key);
    spendResult(key.length);
    const member = (value as PlainObject)[key];
    if (member !== undefined) copy[key] = toResult(member, depth - 1);
  }
  return copy;
}
