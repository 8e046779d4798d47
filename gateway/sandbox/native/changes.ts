import { leave, spend, spendMembers } from './budget.ts';
import { isObject, keysOf, nameOf, type PlainObject, propertyOf, setOwn, type Value } from './data.ts';

/**
 * Objects and arrays that the run in progress has created: the only ones that a script may change. The message belongs
 * to the pipeline, and constants of the module to all runs. Null: the script changes none.
 */
let created: Set<object> | null = null;

const STEPS_PER_OBJECT = 4;

export function beginChanges(isNeeded: boolean): void {
  created = isNeeded ? new Set() : null;
}

export function endChanges(): void {
  created = null;
}

/** For an object without other references. */
export function own<T extends object>(object: T): T {
  if (created !== null) {
    spend(STEPS_PER_OBJECT);
    created.add(object);
  }
  return object;
}

/** An array that the script may change. */
export function ownList(value: Value): Value[] {
  return Array.isArray(value) && created?.has(value) === true ? value : leave();
}

/** Gives an array its own items in another order. */
export function setItems(list: Value[], items: readonly Value[]): Value[] {
  for (const [index, item] of items.entries()) list[index] = item;
  return list;
}

export function setMember(object: Value, key: Value, value: Value): void {
  if (!isObject(object) || created?.has(object) !== true) leave();
  if (Array.isArray(object)) setItem(object, key, value);
  else {
    spendMembers(1);
    checkInherited(object, nameOf(key));
    setOwn(object as PlainObject, key, value);
  }
}

/** Replaces an item, or adds one at the end. */
function setItem(list: Value[], key: Value, value: Value): void {
  if (typeof key !== 'number' || !Number.isInteger(key) || key < 0 || key > list.length) leave();
  spend(1);
  list[key] = value;
}

export function deleteMember(object: Value, key: Value): boolean {
  if (!isObject(object) || Array.isArray(object) || created?.has(object) !== true) leave();
  const name = nameOf(key);
  checkInherited(object, name);
  spendMembers(1);
  return delete (object as PlainObject)[name];
}

/** As `Object.assign`. */
export function assign(target: Value, sources: readonly Value[]): Value {
  if (!isObject(target)) leave();
  for (const source of sources) {
    if (source === null || source === undefined) continue;
    for (const key of keysOf(source)) setMember(target, key, propertyOf(source, key));
  }
  return target;
}

/** Setters and write protection of inherited properties are ignored. */
function checkInherited(object: object, name: string): void {
  if (name in Object.prototype && !Object.hasOwn(object, name)) leave();
}
