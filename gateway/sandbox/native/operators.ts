import { leave, made, spendRead, spendSame } from './budget.ts';
import { isObject, textOf, type Value } from './data.ts';

type Binary = (left: Value, right: Value) => Value;

/** Only where both implementations must give the same: no conversion of texts or objects to numbers, no powers. */
export const BINARY: Readonly<Record<string, Binary>> = {
  '+': (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return left + right;
    if (typeof left === 'string' || typeof right === 'string') return made(textOf(left) + textOf(right));
    leave();
  },
  '-': (left, right) => number(left) - number(right),
  '*': (left, right) => number(left) * number(right),
  '/': (left, right) => number(left) / number(right),
  '%': (left, right) => number(left) % number(right),
  '|': (left, right) => number(left) | number(right),
  '&': (left, right) => number(left) & number(right),
  '^': (left, right) => number(left) ^ number(right),
  '<<': (left, right) => number(left) << number(right),
  '>>': (left, right) => number(left) >> number(right),
  '>>>': (left, right) => number(left) >>> number(right),
  '<': (left, right) => ordered(left, right, (a, b) => a < b),
  '>': (left, right) => ordered(left, right, (a, b) => a > b),
  '<=': (left, right) => ordered(left, right, (a, b) => a <= b),
  '>=': (left, right) => ordered(left, right, (a, b) => a >= b),
  '===': same,
  '!==': (left, right) => !same(left, right),
  '==': loose,
  '!=': (left, right) => !loose(left, right),
};

export const UNARY: Readonly<Record<string, (value: Value) => Value>> = {
  '!': (value) => !value,
  '-': (value) => -number(value),
  '+': (value) => number(value),
  '~': (value) => ~number(value),
  typeof: (value) => typeof value,
};

function number(value: Value): number {
  return typeof value === 'number' ? value : leave();
}

function ordered(left: Value, right: Value, compare: (a: number | string, b: number | string) => boolean): boolean {
  if (typeof left === 'number' && typeof right === 'number') return compare(left, right);
  if (typeof left !== 'string' || typeof right !== 'string') leave();
  spendRead(left.length < right.length ? left : right);
  return compare(left, right);
}

/** Two objects: in the sandbox, a message has a copy for each place. */
function same(left: Value, right: Value): boolean {
  if (isObject(left) && isObject(right)) leave();
  if (typeof left === 'string' && typeof right === 'string') spendSame(left, right);
  return left === right;
}

function loose(left: Value, right: Value): boolean {
  if (left === null || left === undefined) return right === null || right === undefined;
  if (right === null || right === undefined) return false;
  return typeof left === typeof right ? same(left, right) : leave();
}
