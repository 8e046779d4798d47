import {
  leave,
  made,
  spend,
  spendChars,
  spendFixedText,
  spendMembers,
  spendRead,
  spendSame,
  spendSearch,
} from './budget.ts';
import { assign, own, ownList, setItems } from './changes.ts';
import { isObject, keysOf, listOf, nameOf, type PlainObject, setOwn, textOf, type Value } from './data.ts';

/** A function that a script gives to a method: called with at most three arguments. */
export type Callback = (one: Value, two?: Value, three?: Value) => Value;
type Method<Receiver> = (receiver: Receiver, args: readonly Value[]) => Value;
type ListMethod = (list: readonly Value[], callback: Callback, args: readonly Value[]) => Value;

/** Methods of arrays that are given a function first. None changes the array. */
export const CALLBACK_METHODS: ReadonlyMap<string, ListMethod> = new Map<string, ListMethod>([
  ['map', (list, callback) => own(list.map((item, index) => callback(item, index, list)))],
  ['filter', (list, callback) => own(list.filter((item, index) => callback(item, index, list)))],
  ['find', (list, callback) => list.find((item, index) => callback(item, index, list))],
  ['findIndex', (list, callback) => list.findIndex((item, index) => callback(item, index, list))],
  ['findLast', (list, callback) => list.findLast((item, index) => callback(item, index, list))],
  ['findLastIndex', (list, callback) => list.findLastIndex((item, index) => callback(item, index, list))],
  ['some', (list, callback) => list.some((item, index) => callback(item, index, list))],
  ['every', (list, callback) => list.every((item, index) => callback(item, index, list))],
  ['forEach', (list, callback) => list.forEach((item, index) => callback(item, index, list))],
  ['flatMap', flatMap],
  ['reduce', reduce],
]);

function flatMap(list: readonly Value[], callback: Callback): Value {
  return own(
    list.flatMap((item, index) => {
      const result = callback(item, index, list);
      if (Array.isArray(result)) spend(result.length);
      return result;
    }),
  );
}

function reduce(list: readonly Value[], callback: Callback, [initial]: readonly Value[]): Value {
  let result = initial;
  const { length } = list;
  // A function has at most three parameters: the fourth argument, the array, would not be seen.
  for (let index = 0; index < length; index++) {
    result = callback(result, list[index], index);
    if (list.length !== length) leave();
  }
  return result;
}

export const LIST_METHODS: ReadonlyMap<string, Method<readonly Value[]>> = new Map<string, Method<readonly Value[]>>([
  ['slice', (list, args) => own(list.slice(...positions(args, 0, 2)))],
  ['at', (list, args) => list.at(...onePosition(args))],
  ['toReversed', (list, args) => (none(args), own(list.toReversed()))],
  ['concat', concat],
  ['flat', (list, args) => (none(args), flatMap(list, (item) => item))],
  ['includes', (list, args) => list.includes(sought(list, args))],
  ['indexOf', (list, args) => list.indexOf(sought(list, args))],
  ['join', join],
]);

/** Methods that change their array: one that the run has created. */
export const CHANGING_METHODS: ReadonlyMap<string, Method<Value[]>> = new Map<string, Method<Value[]>>([
  ['push', (list, args) => list.push(...args)],
  ['pop', (list, args) => (none(args), list.pop())],
  ['shift', (list, args) => (none(args), list.shift())],
  ['unshift', (list, args) => list.unshift(...args)],
  ['reverse', (list, args) => (none(args), setItems(list, list.toReversed()))],
]);

/** Adding or removing an item at the end does not depend on the length. */
export function change(name: string, work: Method<Value[]>, receiver: Value, args: readonly Value[]): Value {
  const list = ownList(receiver);
  spend(1 + args.length);
  if (name !== 'push' && name !== 'pop') spend(list.length);
  return work(list, args);
}

function concat(list: readonly Value[], args: readonly Value[]): Value {
  for (const one of args) if (Array.isArray(one)) spend(one.length);
  return own(list.concat(...args));
}

function join(list: readonly Value[], args: readonly Value[]): Value {
  const separator = args.length === 0 ? ',' : oneText(args);
  let length = 0;
  const texts = list.map((item) => {
    const text = item === null || item === undefined ? '' : textOf(item);
    length += text.length + separator.length;
    return text;
  });
  spendChars(length);
  return texts.join(separator);
}

export const TEXT_METHODS: ReadonlyMap<string, Method<string>> = new Map<string, Method<string>>([
  ['slice', (text, args) => made(text.slice(...positions(args, 0, 2)))],
  ['substring', (text, args) => made(text.substring(...(positions(args, 1, 2) as [number, number?])))],
  ['at', (text, args) => text.at(...onePosition(args))],
  ['charAt', (text, args) => text.charAt(...onePosition(args))],
  ['charCodeAt', (text, args) => text.charCodeAt(...onePosition(args))],
  ['includes', (text, args) => text.includes(searched(text, args))],
  ['startsWith', (text, args) => text.startsWith(oneText(args))],
  ['endsWith', (text, args) => text.endsWith(oneText(args))],
  ['indexOf', (text, args) => text.indexOf(searched(text, args))],
  ['lastIndexOf', (text, args) => text.lastIndexOf(searched(text, args))],
  ['toUpperCase', (text, args) => (none(args), made(ascii(text).toUpperCase()))],
  ['toLowerCase', (text, args) => (none(args), made(ascii(text).toLowerCase()))],
  ['trim', (text, args) => (none(args), made(ascii(text).trim()))],
  ['trimStart', (text, args) => (none(args), made(ascii(text).trimStart()))],
  ['trimEnd', (text, args) => (none(args), made(ascii(text).trimEnd()))],
  ['padStart', (text, args) => text.padStart(...padding(args))],
  ['padEnd', (text, args) => text.padEnd(...padding(args))],
  ['repeat', repeat],
  ['split', split],
  ['replace', (text, args) => made(text.replace(...replacement(text, args)))],
  ['replaceAll', replaceAll],
  ['toString', (text, args) => (none(args), text)],
]);

function repeat(text: string, args: readonly Value[]): Value {
  const [count] = onePosition(args);
  if (count < 0) leave();
  spendChars(text.length * count);
  return text.repeat(count);
}

function split(text: string, args: readonly Value[]): Value {
  spendChars(text.length);
  const parts = text.split(searched(text, args));
  spend(parts.length);
  return own(parts);
}

function replaceAll(text: string, args: readonly Value[]): Value {
  const [what, by] = replacement(text, args);
  if (what === '') leave();
  spendChars(text.length);
  spendChars((text.split(what).length - 1) * by.length);
  return text.replaceAll(what, by);
}

export const NUMBER_METHODS: ReadonlyMap<string, Method<number>> = new Map<string, Method<number>>([
  ['toFixed', toFixed],
  ['toString', (value, args) => (none(args), textOf(value))],
]);

const DIGITS_MAX = 20;
const FIXED_MAX = 1e15;

function toFixed(value: number, args: readonly Value[]): Value {
  const digits = args.length === 0 ? 0 : onePosition(args)[0];
  if (digits < 0 || digits > DIGITS_MAX || !(Math.abs(value) < FIXED_MAX)) leave();
  spendFixedText();
  return value.toFixed(digits);
}

const one =
  (work: (value: Value) => Value) =>
  (args: readonly Value[]): Value =>
    args.length === 1 ? work(args[0]) : leave();
const ofNumber = (work: (value: number) => Value) => one((value) => work(numeric(value)));
const ofNumbers = (work: (...values: number[]) => number) => (args: readonly Value[]) => work(...args.map(numeric));

/** Functions by their whole name. */
export const FUNCTIONS: ReadonlyMap<string, (args: readonly Value[]) => Value> = new Map<
  string,
  (args: readonly Value[]) => Value
>([
  ['Math.floor', ofNumber(Math.floor)],
  ['Math.ceil', ofNumber(Math.ceil)],
  ['Math.round', ofNumber(Math.round)],
  ['Math.trunc', ofNumber(Math.trunc)],
  ['Math.abs', ofNumber(Math.abs)],
  ['Math.sign', ofNumber(Math.sign)],
  ['Math.sqrt', ofNumber(Math.sqrt)],
  ['Math.min', ofNumbers(Math.min)],
  ['Math.max', ofNumbers(Math.max)],
  ['Number.isInteger', one(Number.isInteger)],
  ['Number.isSafeInteger', one(Number.isSafeInteger)],
  ['Number.isFinite', one(Number.isFinite)],
  ['Number.isNaN', one(Number.isNaN)],
  ['Array.isArray', one(Array.isArray)],
  ['Object.keys', one((value) => own(keysOf(value)))],
  ['Object.values', one((value) => own(keysOf(value).map((key) => (value as PlainObject)[key])))],
  ['Object.entries', one(entriesOf)],
  ['Object.fromEntries', one(fromEntries)],
  ['Object.assign', ([target, ...sources]) => assign(target, sources)],
  ['Number', one(toNumber)],
  ['String', one((value) => made(textOf(value)))],
  ['Boolean', one(Boolean)],
]);

function entriesOf(value: Value): Value {
  const keys = keysOf(value);
  spendMembers(keys.length);
  return own(keys.map((key) => own([key, (value as PlainObject)[key]])));
}

function fromEntries(value: Value): Value {
  const list = listOf(value);
  spendMembers(list.length);
  const object: PlainObject = own({});
  for (const entry of list) {
    const [key, member] = listOf(entry);
    setOwn(object, nameOf(key), member);
  }
  return object;
}

/** Fewer digits than could make two implementations round differently. */
const SHORT_DECIMAL = /^-?\d{1,9}(?:\.\d{1,6})?$/;

function toNumber(value: Value): number {
  if (typeof value === 'string') return SHORT_DECIMAL.test(value) ? Number(value) : leave();
  return isObject(value) ? leave() : Number(value);
}

function numeric(value: Value): number {
  return typeof value === 'number' ? value : leave();
}

function none(args: readonly Value[]): void {
  if (args.length > 0) leave();
}

function oneText(args: readonly Value[]): string {
  const [text] = args;
  if (args.length !== 1 || typeof text !== 'string') leave();
  spendRead(text);
  return text;
}

/** A text that is searched for in another. */
function searched(text: string, args: readonly Value[]): string {
  const what = oneText(args);
  spendSearch(text, what);
  return what;
}

/** A value that is searched for in a list. */
function sought(list: readonly Value[], args: readonly Value[]): Value {
  const value = primitive(args);
  if (typeof value === 'string') for (const item of list) if (typeof item === 'string') spendSame(item, value);
  return value;
}

function primitive(args: readonly Value[]): Value {
  const [value] = args;
  return args.length !== 1 || isObject(value) ? leave() : value;
}

const POSITION_MAX = 2 ** 31;

function positions(args: readonly Value[], least: number, most: number): number[] {
  if (args.length < least || args.length > most) leave();
  return args.map((value) =>
    typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < POSITION_MAX ? value : leave(),
  );
}

function onePosition(args: readonly Value[]): [number] {
  return positions(args, 1, 1) as [number];
}

function padding(args: readonly Value[]): [number, string] {
  const [length = 0] = positions(args.slice(0, 1), 1, 1);
  const fill = args.length === 1 ? ' ' : oneText(args.slice(1));
  spendChars(Math.max(0, length));
  return [length, fill];
}

/** A text for a text, without the patterns that `$` begins. */
function replacement(text: string, args: readonly Value[]): [string, string] {
  const [what, by] = args;
  if (args.length !== 2 || typeof what !== 'string' || typeof by !== 'string') leave();
  // One step for each character: V8 looks for `$` slowly in some texts of two-byte characters.
  spend(by.length);
  if (by.includes('$')) leave();
  spendSearch(text, what);
  return [what, by];
}

/** Letters beyond it depend on the version of Unicode. */
function ascii(text: string): string {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) leave();
  return text;
}
