/** Characters of a text that count as one more part. */
const CHARS_PER_PART = 100;

/** The objects, lists and leaves of a JSON value, its root included; counting ends at `most`. */
export function countParts(value: unknown, most: number): number {
  let count = leafParts(value) - 1;
  const open: unknown[] = [value];
  while (open.length > 0 && count < most) {
    const part = open.pop();
    count += 1;
    if (typeof part === 'object' && part !== null && !(part instanceof Uint8Array))
      count += push(open, part, most - count);
  }
  return Math.min(count, most);
}

/** Leaves are counted at once; objects and lists are left for later. */
function push(open: unknown[], parent: object, most: number): number {
  let leaves = 0;
  for (const name in parent) {
    if (leaves >= most) return leaves;
    const part = (parent as Record<string, unknown>)[name];
    if (typeof part === 'object' && part !== null) open.push(part);
    else leaves += leafParts(part);
  }
  return leaves;
}

function leafParts(leaf: unknown): number {
  return typeof leaf === 'string' ? 1 + Math.floor(leaf.length / CHARS_PER_PART) : 1;
}
