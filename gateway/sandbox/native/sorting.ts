import type * as Syntax from 'acorn';
import { leave, spend, spendRead } from './budget.ts';
import { propertyOf, type Value } from './data.ts';
import { outside } from './outside.ts';

/** A sorted copy. The sort is stable. */
export type Sort = (list: readonly Value[]) => Value[];

/** Which of the two items comes first, and the path of the compared number in it. */
interface NumberOrder {
  readonly isAscending: boolean;
  readonly path: readonly string[];
}

/**
 * `sort()` of texts, or `sort((a, b) => a.n - b.n)` of numbers. Other comparisons could be inconsistent; the order then
 * depends on the implementation.
 */
export function sortBy(node: Syntax.CallExpression): Sort {
  const [comparison, ...rest] = node.arguments;
  if (rest.length > 0) return outside('call', node);
  if (comparison === undefined) return sortTexts;
  const order = orderOf(comparison);
  return order === null ? outside('function', comparison) : (list) => sortNumbers(list, order);
}

function orderOf(comparison: Syntax.Expression | Syntax.SpreadElement): NumberOrder | null {
  if (comparison.type !== 'ArrowFunctionExpression' || comparison.async) return null;
  const { params, body } = comparison;
  const [one, two] = params;
  if (params.length !== 2 || one?.type !== 'Identifier' || two?.type !== 'Identifier' || one.name === two.name)
    return null;
  if (body.type !== 'BinaryExpression' || body.operator !== '-') return null;
  const [left, right] = [pathOf(body.left), pathOf(body.right)];
  if (left === null || right === null || left.path.join('\n') !== right.path.join('\n')) return null;
  if (left.root === one.name && right.root === two.name) return { isAscending: true, path: left.path };
  return left.root === two.name && right.root === one.name ? { isAscending: false, path: left.path } : null;
}

/** `a.b.c` */
function pathOf(node: Syntax.Expression | Syntax.PrivateIdentifier | Syntax.Super): {
  root: string;
  path: string[];
} | null {
  if (node.type === 'Identifier') return { root: node.name, path: [] };
  if (node.type !== 'MemberExpression' || node.computed || node.optional || node.property.type !== 'Identifier')
    return null;
  const outer = pathOf(node.object);
  return outer && { root: outer.root, path: [...outer.path, node.property.name] };
}

function sortNumbers(list: readonly Value[], { isAscending, path }: NumberOrder): Value[] {
  spendSort(list, path.length + 1);
  const entries = list.map((item) => ({ item, order: numberAt(item, path) }));
  entries.sort(isAscending ? (a, b) => a.order - b.order : (a, b) => b.order - a.order);
  return entries.map(({ item }) => item);
}

function numberAt(item: Value, path: readonly string[]): number {
  const value = path.reduce(propertyOf, item);
  return typeof value === 'number' && Number.isFinite(value) ? value : leave();
}

function sortTexts(list: readonly Value[]): Value[] {
  spendSort(list, 1);
  const rounds = roundsOf(list);
  const texts = list.map((item) => {
    if (typeof item !== 'string') leave();
    for (let round = 0; round < rounds; round++) spendRead(item);
    return item;
  });
  return texts.toSorted();
}

function spendSort(list: readonly Value[], each: number): void {
  spend(list.length * roundsOf(list) * each);
}

/** Approximate number of comparisons for each item. */
const roundsOf = (list: readonly Value[]) => Math.ceil(Math.log2(list.length + 2));
